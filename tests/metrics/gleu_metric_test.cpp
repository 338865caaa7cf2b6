#include "metrics/gleu_metric.h"

#include <gtest/gtest.h>

#include "metrics/python_random.h"
#include "tests/metrics/oracles.h"

namespace craft {
namespace {

TEST(GleuMetric, EqualsTheScriptOnSentences) {
    CRAFT_REFERENCE_FILE(oracle, "oracles/gleu.jsonl");
    const auto cases = test::oracle_cases(oracle, "gleu_sentence");
    EXPECT_EQ(cases.size(), 126U);
    for (const Json& row : cases) {
        const auto items = test::oracle_items(row.at("inputs"));
        const ItemScore score = test::item_score("gleu", items.at(0));
        const Json& expected = row.at("expected");
        EXPECT_NEAR(*score.value, expected.at("gleu_mean_over_references").get<double>(), 1e-9) << row.at("id");
        // The script's ten numbers of a reference are the lengths of prediction and reference and, by n, matches and totals.
        // Ours are what references share, the prediction's length and totals, then the length and matches of each.
        std::vector<int64_t> counts;
        for (const auto& ten : expected.at("stats_per_reference").get<std::vector<std::vector<int64_t>>>()) {
            if (counts.empty()) counts = {ten.at(0), ten.at(3), ten.at(5), ten.at(7), ten.at(9)};
            counts.insert(counts.end(), {ten.at(1), ten.at(2), ten.at(4), ten.at(6), ten.at(8)});
        }
        EXPECT_EQ(score.counts, counts) << row.at("id");
    }
}

TEST(GleuMetric, EqualsTheScriptsChoices) {
    CRAFT_REFERENCE_FILE(oracle, "oracles/gleu.jsonl");
    const auto cases = test::oracle_cases(oracle, "gleu_reference_choice");
    EXPECT_EQ(cases.size(), 35U);
    for (const Json& row : cases) {
        const auto indices = row.at("expected").at("indices").get<std::vector<uint32_t>>();
        std::vector<uint32_t> drawn(indices.size());
        const auto references = row.at("inputs").at("num_refs").get<uint32_t>();
        PythonRandom(row.at("inputs").at("seed").get<uint32_t>()).below_python3(references, drawn);
        EXPECT_EQ(drawn, indices) << row.at("id");
    }
}

}  // namespace
}  // namespace craft
