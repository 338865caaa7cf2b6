#include "metrics/rouge.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "core/error.h"

namespace craft {
namespace {

RougeScores scores(const std::string& prediction, const std::string& reference) {
    std::vector<RougeWords> references;
    references.emplace_back(reference);
    return rouge(RougeWords(prediction), references)[0];
}

void expect_score(const RougeScore& score, double precision, double recall) {
    EXPECT_DOUBLE_EQ(score.precision, precision);
    EXPECT_DOUBLE_EQ(score.recall, recall);
    EXPECT_NEAR(score.f, precision + recall > 0 ? 2 * precision * recall / (precision + recall) : 0, 1e-15);
}

TEST(RougeWords, RunsOfAsciiLettersAndDigits) {
    EXPECT_EQ(RougeWords("The U.S. won't pay $1,000!").words, "the u s won t pay 1 000");
    EXPECT_EQ(RougeWords("caf\u00E9s \u212Aelvin \u0130s \u017Ft").words, "caf s kelvin i s t");
    EXPECT_EQ(RougeWords(std::string("a\0b\xFF"
                                     "c",
                                     5))
                  .words,
              "a b c");
    EXPECT_EQ(RougeWords("\u4F60\u597D").words, "");
}

TEST(RougeWords, LinesEndAtNewlines) {
    EXPECT_THAT(RougeWords("a b\r\n\nc").line_ends, testing::ElementsAre(2, 2, 3));
    EXPECT_THAT(RougeWords("").line_ends, testing::ElementsAre(0));
}

// "the cat sat" against "the the cat": one "the" and "cat" are shared, of three words each; of the pairs "the cat". The
// longest common subsequence is "the cat".
TEST(Rouge, ByHand) {
    const RougeScores all = scores("the cat sat", "the the cat");
    expect_score(all[kRouge1], 2.0 / 3, 2.0 / 3);
    expect_score(all[kRouge2], 1.0 / 2, 1.0 / 2);
    expect_score(all[kRougeL], 2.0 / 3, 2.0 / 3);
    expect_score(scores("b a", "a b c d")[kRougeL], 1.0 / 2, 1.0 / 4);
}

// Lin 2004, section 3.2: the reference w1 w2 w3 w4 w5 shares w1 w3 w5 with one line and w1 w2 with the other: the union has
// four words, of five there and ten here. In one text the longest common subsequence is w1 w3 w5.
TEST(Rouge, SumOfLinesTakesTheUnion) {
    const RougeScores all = scores("w1 w3 w8 w9 w5\nw1 w2 w6 w7 w8", "w1 w2 w3 w4 w5");
    expect_score(all[kRougeLsum], 4.0 / 10, 4.0 / 5);
    expect_score(all[kRougeL], 3.0 / 10, 3.0 / 5);
}

// Two lines of the reference find the one "a" of the prediction, which counts once.
TEST(Rouge, SumOfLinesCountsNoWordTwice) {
    expect_score(scores("a", "a\na")[kRougeLsum], 1, 1.0 / 2);
}

TEST(Rouge, TextsWithoutWordsScoreNothing) {
    for (const RougeScore& score : scores("", "a b")) expect_score(score, 0, 0);
    for (const RougeScore& score : scores("a b", "\u4F60")) expect_score(score, 0, 0);
    for (const RougeScore& score : scores("", "")) expect_score(score, 0, 0);
}

TEST(Rouge, EachKindTakesItsBestReference) {
    std::vector<RougeWords> references;
    references.emplace_back("c b a x");  // ROUGE-1 3/4, ROUGE-L 1/4
    references.emplace_back("a b y z");  // ROUGE-1 2/4, ROUGE-L 2/4
    const RougeScores best = best_rouge(rouge(RougeWords("a b c d"), references));
    expect_score(best[kRouge1], 3.0 / 4, 3.0 / 4);
    expect_score(best[kRougeL], 2.0 / 4, 2.0 / 4);
}

// A megabyte of one word, of different words, and of short lines: ends, and finds itself.
TEST(Rouge, LongTexts) {
    std::string same, lines;
    for (int i = 0; i < 20000; ++i) {
        same += "word ";
        lines += "a" + std::to_string(i) + (i % 20 == 19 ? "\n" : " ");
    }
    for (const std::string& text : {same, lines})
        for (const RougeScore& score : scores(text, text)) expect_score(score, 1, 1);
}

// Lines that are equal are compared once; different ones with each other, which ends somewhere.
TEST(Rouge, ManyLines) {
    std::string same, different, prediction;
    for (int i = 0; i < 100000; ++i) {
        same += "a b\n";
        different += "a b" + std::to_string(i) + "\n";
        prediction += "a c" + std::to_string(i) + "\n";
    }
    expect_score(scores(same, same)[kRougeLsum], 1, 1);
    try {
        scores(prediction, different);
        FAIL() << "nothing was thrown";
    } catch (const Error& error) {
        EXPECT_THAT(error.what(), testing::HasSubstr("100000 lines beside 100000 of a reference"));
    }
}

// The second "a b" of the reference has no a of the prediction left: hits a, b, then b; of 3 and of 4 words.
TEST(Rouge, EqualLinesOfTheReferenceTakeWhatIsLeft) {
    expect_score(scores("a b\nb", "a b\na b")[kRougeLsum], 3.0 / 3, 3.0 / 4);
}

}  // namespace
}  // namespace craft
