#include "metrics/sari.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/core/temporary_folder.h"
#include "tests/metrics/oracle_checks.h"

namespace craft {
namespace {

using test::corpus_of;
using test::item_score;
using test::with_variant;

// Source "a b c d", prediction "a b e", references "a b" and "a c e". With two references every n-gram of source and
// prediction counts twice.
//   n = 1, added: e by both: F1 1. Kept: a and b by the prediction (2 + 2), by references a 2, b 1, c 1; of them a 2, b 1
//   are right: 3 of 4 and 3 of 4, F1 3/4. Deleted: c 2, d 2 by the prediction; b 1, c 1, d 2 by references; right c 1, d 2:
//   3/4, 3/4. n = 2, added: "b e" by the prediction, "a c", "c e" by references: 0. Kept: "a b" 2; "a b" 1: 1/2 and 1, F1
//   2/3. Deleted: "b c" 2, "c d" 2; "a b" 1, "b c" 2, "c d" 2: 1 and 4/5, F1 8/9. n = 3, added: "a b e" and "a c e": 0.
//   Kept: none and none: 0. Deleted: "a b c" and "b c d" by both: 1. n = 4: deleted 1.
TEST(Sari, ByHand) {
    const MetricItem item{.id = "x", .source = "A b c d", .prediction = "a B e", .references = {"a b", "a c E"}};
    const double add = 100 * (1.0 / 4), keep = 100 * (0.75 + 2.0 / 3) / 4, del = 100 * (0.75 + 8.0 / 9 + 1 + 1) / 4;
    const ItemScore score = item_score("sari", item);
    EXPECT_NEAR(score.parts.at("add").get<double>(), add, 1e-9);
    EXPECT_NEAR(score.parts.at("keep").get<double>(), keep, 1e-9);
    EXPECT_NEAR(score.parts.at("del").get<double>(), del, 1e-9);
    EXPECT_NEAR(*score.value, (add + keep + del) / 3, 1e-9);
    const ItemScore by_precision = item_score("sari", item, with_variant(MetricVariant::del_precision));
    EXPECT_NEAR(by_precision.parts.at("del").get<double>(), 100 * (0.75 + 1 + 1 + 1) / 4, 1e-9);
    EXPECT_EQ(by_precision.parts.at("keep"), score.parts.at("keep"));
    // Kept: precisions 3/4, 1/2, 0, 0 (mean 5/16), recalls 3/4, 1, 0, 0 (7/16): F1 35/96.
    EXPECT_NEAR(item_score("sari", item, with_variant(MetricVariant::micro)).parts.at("keep").get<double>(), 3500.0 / 96,
                1e-9);
}

TEST(Sari, OfTextsThatAreTheReference) {
    const MetricItem item{.id = "x",
                          .source = "one two three four five six",
                          .prediction = "zero one two three four seven eight nine ten",
                          .references = {"Zero one two three four seven eight nine ten"}};
    EXPECT_EQ(Json(*item_score("sari", item).value).dump(), "100.0");
    MetricItem copy = item;
    copy.prediction = copy.source;
    EXPECT_EQ(item_score("sari", copy).parts.at("add"), 0.0);
    EXPECT_EQ(item_score("sari", copy).parts.at("del"), 0.0);
    MetricItem empty = item;
    empty.prediction = "";
    EXPECT_EQ(item_score("sari", empty).parts.at("keep"), 0.0);
    EXPECT_GT(item_score("sari", empty).parts.at("del"), 0.0);
    EXPECT_EQ(*item_score("sari", {.id = "x", .source = "", .prediction = "", .references = {""}}).value, 0.0);
}

// An item's references, and the items, in any order.
TEST(Sari, OrderChangesNoDigit) {
    std::vector<MetricItem> items = {{"a", "The cat sat.", "A cat sat down.", {"The cat sat down.", "A cat was sitting."}},
                                     {"b", "Dogs bark loudly at night.", "Dogs bark.", {"Dogs bark at night."}},
                                     {"c", "", "new", {"new", "newer", ""}}};
    const Json expected = corpus_of("sari", items);
    std::reverse(items.begin(), items.end());
    for (MetricItem& item : items) std::reverse(item.references.begin(), item.references.end());
    EXPECT_EQ(corpus_of("sari", items), expected);
}

TEST(Sari, LegacyTakesNoLowercasing) {
    MetricOptions options = with_variant(MetricVariant::legacy);
    options.lowercase = true;
    EXPECT_THAT(message_of([&] { make_metric("sari", options); }), testing::HasSubstr("variant legacy"));
}

TEST(Sari, SentencesOfTheReference) {
    CRAFT_REFERENCE_FILE(file, "oracles/sari.jsonl");
    for (const Json& oracle : test::oracle_cases(file, "sari_sentence")) {
        const std::vector<MetricItem> items = test::oracle_items(oracle.at("inputs"));
        test::expect_sari(oracle, items);
        if (!oracle.at("expected").contains("stats")) continue;
        std::vector<int64_t> counts;
        for (const char* operation : {"add", "keep", "del"})
            for (const char* kind : {"correct", "sys", "ref"})
                for (const Json& n : oracle.at("expected").at("stats").at(std::string(operation) + "_" + kind))
                    counts.push_back(n.get<int64_t>());
        EXPECT_EQ(item_score("sari", items[0]).counts, counts) << oracle.at("id");
    }
}

// Only the first reference of the item with two counts, so that both are measured as by hand.
TEST(Sari, PublishedCutsReferencesToTheSmallestNumber) {
    const auto published = make_metric("sari", with_variant(MetricVariant::published));
    EXPECT_TRUE(published->needs().all_items);
    const std::vector<MetricItem> items = {{"a", "The cat sat.", "A cat sat.", {"A cat sat.", "Cats.", "It sat."}},
                                           {"b", "Dogs bark.", "Dogs.", {"Dogs bark at night."}}};
    for (const ItemScore& score : published->measure_all(items)) published->add(score);
    std::vector<MetricItem> cut = items;
    cut[0].references.resize(1);
    const Json expected = corpus_of("sari", cut), figures = published->corpus();
    for (const char* key : {"sari", "add", "keep", "del"}) EXPECT_EQ(figures.at(key), expected.at(key));
    EXPECT_NE(figures.at("sari"), corpus_of("sari", items).at("sari"));
    EXPECT_EQ(figures.at("references_cut"), 2);
    EXPECT_FALSE(expected.contains("references_cut"));
}

}  // namespace
}  // namespace craft
