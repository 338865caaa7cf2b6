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
        std::vector<int64_t> counts;
        for (const Json& reference : expected.at("stats_per_reference"))
            for (const Json& count : reference) counts.push_back(count.get<int64_t>());
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
