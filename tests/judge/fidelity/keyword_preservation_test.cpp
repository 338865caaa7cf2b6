#include "judge/fidelity/keyword_preservation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "text/latex.h"

namespace craft {
namespace {

using testing::ElementsAre;

TEST(KeywordPreservation, CountsOccurrencesOfTheOriginal) {
    // Ann twice and Bo once; the revision has one Ann, three Bo (one counts), and "Annual", which is no Ann.
    const KeywordPreservation found = keyword_preservation("Ann saw Bo. Ann left.", "Ann. Bo Bo Bo. Annual.", {"Ann", "Bo"});
    EXPECT_EQ(found.occurrences, 3);
    EXPECT_EQ(found.kept, 2);
    EXPECT_DOUBLE_EQ(*found.share(), 2.0 / 3);
    EXPECT_FALSE(keyword_preservation("x", "y", {}).share());
}

TEST(KeywordPreservation, LatexCommandsAreNoPrefixes) {
    const std::string text = "Let $x \\in A$ and \\infty \\in B.";  // "\in" by itself occurs once outside the formula
    const KeywordPreservation found = keyword_preservation(text, "Let $x \\in A$ and \\infty.", latex_keywords(text));
    // "$x \in A$", "\infty", and the second "\in", which is lost; the first one is part of the formula.
    EXPECT_EQ(found.occurrences, 3);
    EXPECT_EQ(found.kept, 2);
    // Where the formula is changed its commands are no longer part of a keyword: of "\in" one counts.
    EXPECT_EQ(keyword_preservation(text, "Let $y \\in A$ and \\infty.", latex_keywords(text)).kept, 2);
}

TEST(KeywordPreservation, TheCorpusIsOfItemsWithKeywordsEnough) {
    TextPairs texts;
    texts.missing = 2;
    texts.pairs = {{"a", "k k k k k k k k k k", "k k k"}, {"b", "k k", "k k"}, {"c", "k", ""}, {"d", "", "k"}};
    const auto find = [](const std::string&) { return std::vector<std::string>{"k"}; };
    const PreservationEvaluation two = evaluate_preservation(texts, find, 2);
    EXPECT_DOUBLE_EQ(*two.preserved, (0.3 + 1) / 2);
    EXPECT_EQ(two.counted, 2);
    EXPECT_THAT(two.histogram, ElementsAre(0, 0, 0, 1, 0, 0, 0, 0, 0, 1));
    const PreservationEvaluation one = evaluate_preservation(texts, find, 1);
    EXPECT_THAT(one.histogram, ElementsAre(1, 0, 0, 1, 0, 0, 0, 0, 0, 1));
    const Json json = to_json(one);
    EXPECT_EQ(json.at("items").size(), 4u);
    EXPECT_TRUE(json.at("items")[3].at("preserved").is_null());
    EXPECT_EQ(json.at("items")[3].at("counted"), false);
    EXPECT_EQ(json.at("corpus").at("missing"), 2);
    EXPECT_TRUE(to_json(evaluate_preservation({}, find, 1)).at("corpus").at("preserved").is_null());
}

}  // namespace
}  // namespace craft
