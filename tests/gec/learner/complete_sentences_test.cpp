#include "gec/learner/complete_sentences.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace craft {
namespace {

using testing::ElementsAre;
using testing::Pair;

TEST(CompleteSentences, AreThoseThatStandByThemselves) {
    std::map<std::string, int64_t> dropped;
    const auto kept = complete_sentences(
        "The chairman, Mr. Frith, opened the meeting. A title without a stop at all\n"
        "He left. and then he came back once more. (The rest of it was quiet. \"You are late again,\" she said to him.",
        dropped);
    EXPECT_THAT(kept, ElementsAre("The chairman, Mr. Frith, opened the meeting."));
    EXPECT_THAT(dropped, ElementsAre(Pair("fewer than 5 words", 1), Pair("no capital at the beginning", 3),
                                     Pair("no mark at the end", 1)));
}

TEST(CompleteSentences, HaveFiveToThirtyFiveWords) {
    std::map<std::string, int64_t> dropped;
    std::string words = "Word";
    for (int i = 1; i < 35; ++i) words += " word";
    EXPECT_EQ(complete_sentences(words + ".", dropped).size(), 1u);
    EXPECT_TRUE(complete_sentences(words + " more.", dropped).empty());
    EXPECT_EQ(dropped["more than 35 words"], 1);
    EXPECT_EQ(complete_sentences("It has just five words.", dropped).size(), 1u);
    EXPECT_TRUE(complete_sentences("", dropped).empty());
}

TEST(CompleteSentences, HavePairedMarksAndSingleBlanks) {
    std::map<std::string, int64_t> dropped;
    EXPECT_TRUE(complete_sentences("He said \"no and went away again.", dropped).empty());
    EXPECT_EQ(dropped["unpaired quotation marks or brackets"], 1);
    EXPECT_TRUE(complete_sentences("There  are two blanks in here.", dropped).empty());
    EXPECT_EQ(dropped["more than a blank between words"], 1);
    EXPECT_EQ(complete_sentences("He said \"no\" (and went away again).", dropped).size(), 1u);
}

}  // namespace
}  // namespace craft
