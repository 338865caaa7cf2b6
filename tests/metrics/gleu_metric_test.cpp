#include "metrics/gleu_metric.h"

#include <gtest/gtest.h>

#include <cmath>

#include "metrics/gleu_corpus.h"
#include "metrics/python_random.h"
#include "metrics/words.h"
#include "tests/metrics/oracles.h"

namespace craft {
namespace {

std::string words(const std::string& text) {
    return tokenised(text, WordTokenizer::whitespace, false);
}

TEST(GleuMetric, EqualsTheScriptOnCorpora) {
    CRAFT_REFERENCE_FILE(oracle, "oracles/gleu.jsonl");
    const auto cases = test::oracle_cases(oracle, "gleu_corpus");
    EXPECT_EQ(cases.size(), 20U);
    for (const Json& row : cases) {
        GleuCorpus corpus;
        for (const MetricItem& item : test::oracle_items(row.at("inputs"))) {
            std::vector<std::string> references;
            for (const std::string& reference : item.references) references.push_back(words(reference));
            corpus.add(gleu_counts(words(item.source), words(item.prediction), references));
        }
        const Json& expected = row.at("expected");
        const GleuFigures drawn = corpus.figures(GleuDraws::python3, row.at("inputs").at("iterations").get<int>());
        EXPECT_NEAR(drawn.mean, expected.at("gleu").get<double>(), 1e-9) << row.at("id");
        EXPECT_NEAR(drawn.deviation, expected.at("std").get<double>(), 1e-9) << row.at("id");
        // What the draws estimate lies within four standard errors of what they found; a deviation's is smaller by the root
        // of 2.
        const GleuFigures exact = corpus.figures(GleuDraws::exact);
        const double error = drawn.deviation / std::sqrt(row.at("inputs").at("iterations").get<double>());
        EXPECT_NEAR(exact.mean, drawn.mean, 4 * error + 1e-12) << row.at("id");
        EXPECT_NEAR(exact.deviation, drawn.deviation, 3 * error + 1e-12) << row.at("id");
    }
}

TEST(GleuMetric, EqualsPython2) {
    CRAFT_REFERENCE_FILE(oracle, "oracles/gleu.jsonl");
    const auto cases = test::oracle_cases(oracle, "gleu_corpus_python2_rng");
    ASSERT_EQ(cases.size(), 1U);
    MetricOptions options;
    options.draws = GleuDraws::python2;
    const Json figures = test::corpus_of("gleu", test::oracle_items(cases[0].at("inputs")), options);
    EXPECT_NEAR(figures.at("gleu").get<double>(), cases[0].at("expected").at("gleu").get<double>(), 1e-6);
    EXPECT_NEAR(figures.at("deviation").get<double>(), cases[0].at("expected").at("std").get<double>(), 1e-6);
}

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
