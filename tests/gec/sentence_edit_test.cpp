#include "gec/sentence_edit.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>

#include "core/rng.h"
#include "gec/edit_m2.h"
#include "tests/gec/applied_edits.h"

namespace craft {
namespace {

using testing::ElementsAre;
using Op = EditOperation;

TEST(SentenceEdits, AreOfWordsAndPunctuationStandsApart) {
    EXPECT_THAT(edits_between("She go to school .", "She goes to school ."),
                ElementsAre(SentenceEdit{4, 6, Op::transform, "go", "goes"}));
    EXPECT_THAT(edits_between("We are safe but cold.", "We are safe, but cold."),
                ElementsAre(SentenceEdit{11, 11, Op::insert, "", ","}));
    EXPECT_THAT(edits_between("I go school.", "I go to school."), ElementsAre(SentenceEdit{5, 5, Op::insert, "", "to "}));
    EXPECT_THAT(edits_between("the the cat", "the cat"), ElementsAre(SentenceEdit{4, 8, Op::remove, "the ", ""}));
    EXPECT_THAT(edits_between("We discussed about it.", "We discussed it."),
                ElementsAre(SentenceEdit{13, 19, Op::remove, "about ", ""}));
    EXPECT_TRUE(edits_between("It is fine.", "It is fine.").empty());
}

TEST(SentenceEdits, AreAsSmallAsWordsAllow) {
    EXPECT_THAT(
        edits_between("He has went home", "He have gone home"),
        ElementsAre(SentenceEdit{3, 6, Op::transform, "has", "have"}, SentenceEdit{7, 11, Op::transform, "went", "gone"}));
    EXPECT_THAT(
        edits_between("He is agree .", "He agrees ."),
        ElementsAre(SentenceEdit{3, 6, Op::remove, "is ", ""}, SentenceEdit{6, 11, Op::transform, "agree", "agrees"}));
    EXPECT_THAT(edits_between("I run everyday .", "I run every day ."),
                ElementsAre(SentenceEdit{6, 14, Op::transform, "everyday", "every day"}));
}

TEST(SentenceEdits, WordsThatMoveAreOneEdit) {
    EXPECT_THAT(edits_between("Why you are late ?", "Why are you late ?"),
                ElementsAre(SentenceEdit{4, 11, Op::rearrange, "you are", "are you"}));
    EXPECT_THAT(edits_between("Always I go", "I always go"),
                ElementsAre(SentenceEdit{0, 8, Op::rearrange, "Always I", "I always"}));
    EXPECT_THAT(edits_between("the cat", "The cat"), ElementsAre(SentenceEdit{0, 3, Op::transform, "the", "The"}));
}

TEST(SentenceEdits, CountCodePointsAndKeepWhiteSpace) {
    EXPECT_THAT(edits_between("Das \xc3\xbc"
                              "ber go",
                              "Das \xc3\xbc"
                              "ber goes"),
                ElementsAre(SentenceEdit{9, 11, Op::transform, "go", "goes"}));
    EXPECT_THAT(edits_between("home .", "home."), ElementsAre(SentenceEdit{4, 5, Op::remove, " ", ""}));
    EXPECT_THAT(edits_between("a  b", "a b"), ElementsAre(SentenceEdit{1, 3, Op::transform, "  ", " "}));
}

// Texts of few words, so that they meet again, with signs, blanks and bytes that are no UTF-8 between them.
std::string random_text(Rng& rng) {
    const std::vector<std::string> pieces = {"the",
                                             "The",
                                             "a",
                                             "cat",
                                             "cats",
                                             "every",
                                             "day",
                                             "everyday",
                                             ",",
                                             ".",
                                             "'s",
                                             "n't",
                                             " ",
                                             " ",
                                             " ",
                                             "\n",
                                             "\"",
                                             "\xc3\xa9t\xc3\xa9",
                                             "\xff",
                                             "\xe2\x80\x99",
                                             "-",
                                             "3.5",
                                             "\xf0\x9f\x98\x80",
                                             "\xe3\x80\x80"};
    std::string text;
    for (uint64_t n = rng.below(24); n > 0; --n) {
        text += rng.pick(pieces);
        if (rng.below(2) == 0) text += " ";
    }
    return text;
}

TEST(SentenceEdits, AppliedTheyGiveTheTarget) {
    for (uint64_t i = 0; i < 5000; ++i) {
        Rng rng(7, "edits", i);
        const std::string source = random_text(rng), target = random_text(rng);
        const std::vector<SentenceEdit> edits = edits_between(source, target);
        ASSERT_EQ(test::applied_edits(source, edits), target) << source << " | " << target;
        for (const SentenceEdit& edit : edits) ASSERT_NE(edit.from, edit.to);
    }
}

TEST(SentenceEdits, OfLongTextsTakeNoTime) {
    std::string source, target;
    for (int i = 0; i < 20000; ++i) {
        source += "word" + std::to_string(i % 977) + " ";
        target += "word" + std::to_string(i % 977) + (i % 100 == 0 ? "s " : " ");
    }
    EXPECT_EQ(edits_between(source, target).size(), 200u);
    std::string other;
    for (int i = 0; i < 20000; ++i) other += "x" + std::to_string(i) + " ";
    EXPECT_EQ(test::applied_edits(source, edits_between(source, other)), other);
}

TEST(EditsAsM2, CountTokensBetweenBlanks) {
    M2File file;
    file.sentences = {m2_of("Why you are very late ?", "Why are you very late!"), m2_of("fine  .", "fine .")};
    EXPECT_EQ(to_m2(file),
              "S Why you are very late ?\n"
              "A 1 3|||R:WO|||are you|||REQUIRED|||-NONE-|||0\n"
              "A 4 5|||R:OTHER|||late!|||REQUIRED|||-NONE-|||0\n"
              "A 5 6|||U:OTHER|||-NONE-|||REQUIRED|||-NONE-|||0\n\n"
              "S fine .\nA -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0\n\n");
}

TEST(EditsAsM2, PartTheBarsThatM2Needs) {
    EXPECT_EQ(m2_of("a b", "a c|||d||").edits.at(0).correction, "c| | |d| |");
    EXPECT_EQ(m2_of("a b", "a c|d").edits.at(0).correction, "c|d");
}

}  // namespace
}  // namespace craft
