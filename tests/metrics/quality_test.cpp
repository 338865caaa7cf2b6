#include "metrics/quality.h"

#include <gtest/gtest.h>

#include "tests/metrics/oracle_checks.h"

namespace craft {
namespace {

using test::corpus_of;
using test::item_score;

// "the old cat sat ." (17 characters) and "the cat sat . it purred ." (25). In common in order: "the ", "cat sat ." are 13,
// so 26 of 42 characters. Words: it, purred and a full stop are added, old is deleted; the larger text has 7.
TEST(Quality, ByHand) {
    const ItemScore score = item_score("quality", {.id = "x",
                                                   .source = "The old cat sat.",
                                                   .prediction = "The cat sat. It purred.",
                                                   .references = {"A dog.", "The cat purred."}});
    EXPECT_DOUBLE_EQ(*score.value, 25.0 / 17);
    EXPECT_DOUBLE_EQ(score.parts.at("compression_ratio").get<double>(), 25.0 / 17);
    EXPECT_EQ(score.parts.at("sentence_splits"), 2.0);
    EXPECT_DOUBLE_EQ(score.parts.at("levenshtein_similarity").get<double>(), 26.0 / 42);
    EXPECT_EQ(score.parts.at("exact_copies"), 0.0);
    EXPECT_DOUBLE_EQ(score.parts.at("additions_proportion").get<double>(), 3.0 / 7);
    EXPECT_DOUBLE_EQ(score.parts.at("deletions_proportion").get<double>(), 1.0 / 7);
    // the, cat, purred and a full stop: 4 of 7 and 4 of 4.
    EXPECT_DOUBLE_EQ(score.parts.at("f1_token").get<double>(), 100 * 2 * 4.0 / 11);
}

TEST(Quality, OfCopiesAndEmptyTexts) {
    const ItemScore copy = item_score("quality", {.id = "x", .source = "A  b.", .prediction = "a b .", .references = {}});
    EXPECT_EQ(copy.parts.at("exact_copies"), 1.0) << "the same words";
    EXPECT_TRUE(copy.parts.at("f1_token").is_null());
    const ItemScore empty = item_score("quality", {.id = "x", .source = "", .prediction = "a", .references = {""}});
    EXPECT_EQ(empty.parts.at("compression_ratio"), 0.0);
    EXPECT_EQ(empty.parts.at("additions_proportion"), 1.0);
    EXPECT_EQ(empty.parts.at("f1_token"), 0.0);
    const ItemScore none = item_score("quality", {.id = "x", .source = "", .prediction = "", .references = {}});
    EXPECT_EQ(none.parts.at("additions_proportion"), 0.0);
    EXPECT_EQ(none.parts.at("levenshtein_similarity"), 1.0);
}

TEST(Quality, OrderChangesNoDigit) {
    std::vector<MetricItem> items = {{"a", "One two three.", "One three.", {"One three."}},
                                     {"b", "Four five six seven", "Four; seven", {}},
                                     {"c", "eight nine ten eleven twelve", "eight", {"eight nine"}}};
    const Json expected = corpus_of("quality", items);
    EXPECT_DOUBLE_EQ(expected.at("f1_token").get<double>(), (100 + 100 * 2.0 / 3) / 2) << "of a and c";
    std::reverse(items.begin(), items.end());
    EXPECT_EQ(corpus_of("quality", items), expected);
}

// Punkt's sentences are not ours: where ICU's rule finds as many is counted, so that a change of it is seen.
TEST(Quality, SentencesOfTheReference) {
    CRAFT_REFERENCE_FILE(file, "oracles/quality.jsonl");
    size_t cases = 0, as_punkt = 0;
    for (const Json& oracle : test::oracle_cases(file, "quality_sentence")) {
        const Json figures = corpus_of("quality", test::oracle_items(oracle.at("inputs")));
        test::expect_estimates(oracle, figures, oracle.at("expected"));
        test::expect_token_f1(oracle, figures);
        ++cases;
        if (figures.at("sentence_splits") == oracle.at("expected").at("sentence_splits_punkt")) ++as_punkt;
    }
    EXPECT_EQ(cases, 80u);
    EXPECT_GE(as_punkt, 70u);
}

}  // namespace
}  // namespace craft
