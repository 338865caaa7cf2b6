#include "gec/final_answer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace craft {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::string> cut(const std::string& answer, const std::string& expected,
                             const std::string& sentence = "I has a cat .") {
    const FinalAnswer read = read_final_answer(answer, sentence);
    EXPECT_EQ(read.sentence, expected);
    return leniency_kinds(read.let_pass);
}

TEST(FinalAnswers, AreTheSentenceAlone) {
    EXPECT_THAT(cut("I have a cat .", "I have a cat ."), IsEmpty());
    EXPECT_THAT(cut("\"I have a cat .\"", "I have a cat ."), ElementsAre("quotes"));
    EXPECT_THAT(cut("\xe2\x80\x9cI have .\xe2\x80\x9d", "I have ."), ElementsAre("quotes"));
    EXPECT_THAT(cut("\"I have\" .\"", "\"I have\" .\"", "\"I has\" .\""), IsEmpty());
    EXPECT_THAT(cut("I have a cat .\n\nThe verb agrees with the subject.", "I have a cat ."), ElementsAre("explanation"));
    EXPECT_THAT(cut("I have a cat .\n(I changed has.)", "I have a cat ."), ElementsAre("explanation"));
    EXPECT_THAT(cut("> I have a cat .", "I have a cat ."), ElementsAre("marks"));
    EXPECT_THAT(cut("Corrected sentence: I have a cat .", "I have a cat ."), ElementsAre("preface"));
    EXPECT_THAT(cut("Corrected sentence:\n\nI have a cat .", "I have a cat ."), ElementsAre("preface"));
    EXPECT_THAT(cut("**Corrected sentence:** I have a cat .", "I have a cat ."), ElementsAre("preface"));
    EXPECT_THAT(cut("### Answer:\nI have a cat .", "I have a cat ."), ElementsAre("preface"));
    EXPECT_THAT(cut("Answer: I have .", "Answer: I have .", "Answer: I has ."), IsEmpty());
    EXPECT_THAT(cut("I have\na cat .", "I have\na cat .", "I has\na cat ."), IsEmpty());
    EXPECT_THAT(cut("", ""), IsEmpty());
}

TEST(UnnamedChanges, AreOfWords) {
    EXPECT_THAT(unnamed_changes("I have a cat .", "I have a cat."), IsEmpty());
    EXPECT_THAT(unnamed_changes("it\xe2\x80\x99s fine", "it's fine"), IsEmpty());
    EXPECT_THAT(unnamed_changes("I have a cat .", "I have the cats ."),
                ElementsAre(SentenceEdit{7, 8, EditOperation::transform, "a", "the"},
                            SentenceEdit{9, 12, EditOperation::transform, "cat", "cats"}));
}

}  // namespace
}  // namespace craft
