// EditEval's figures of matches, ROUGE, UpdateROUGE and GLEU, beside those of its own code: of sentences (unit tests) and of
// whole corpora (parity tests).
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "tests/metrics/oracles.h"

namespace craft::test {

struct Wanted {
    std::string metric, key;  // of the oracle
    MetricOptions options;
    std::string part;  // of ours
};

inline std::vector<Wanted> wanted_figures(TextNormalizer normalizer) {
    MetricOptions plain, rouge, gleu;
    plain.normalize = rouge.normalize = gleu.normalize = normalizer;
    rouge.variant = MetricVariant::published;
    gleu.tokenizer = WordTokenizer::nltk_3_10;
    return {{"exact_match", "em", plain, "exact_match"},
            {"diff_match", "em_diff", plain, "diff_match"},
            {"insert_delete", "id", plain, "insert_delete"},
            {"gleu", "gleu", gleu, "gleu"},
            {"rouge", "rouge1", rouge, "rouge1"},
            {"rouge", "rouge2", rouge, "rouge2"},
            {"rouge", "rougeL", rouge, "rougeL"},
            {"update_rouge", "update_rouge1", plain, "update_rouge1"},
            {"update_rouge", "update_rouge2", plain, "update_rouge2"},
            {"update_rouge", "update_rougeLsum", plain, "update_rougeLsum"}};
}

inline void expect_figures(const Json& expected, const std::vector<MetricItem>& items, TextNormalizer normalizer,
                           const std::string& where) {
    std::map<std::string, Json> measured;
    for (const Wanted& wanted : wanted_figures(normalizer)) {
        if (!expected.contains(wanted.key)) continue;
        if (!measured.contains(wanted.metric)) measured[wanted.metric] = corpus_of(wanted.metric, items, wanted.options);
        EXPECT_NEAR(measured[wanted.metric].at(wanted.part).get<double>(), expected.at(wanted.key).get<double>(), 1e-6)
            << where << " " << wanted.key;
    }
}

inline void expect_cases(const std::filesystem::path& oracle, const std::string& metric, size_t count) {
    const auto cases = oracle_cases(oracle, metric);
    EXPECT_EQ(cases.size(), count);
    for (const Json& row : cases) {
        const auto items = oracle_items(row.at("inputs"));
        const std::string id = row.at("id").get<std::string>();
        const Json& expected = row.at("expected");
        expect_figures(expected.at("raw/treebank_only"), items, TextNormalizer::none, id + " raw");
        if (expected.contains("normalized/treebank_only"))
            expect_figures(expected.at("normalized/treebank_only"), items, TextNormalizer::treebank, id + " normalized");
        if (!expected.contains("pinned_versions")) continue;
        // The releases that EditEval asks for: its GLEU needs Punkt's sentences; nothing else changed on texts as they are.
        Json pinned = expected.at("pinned_versions").at("raw/punkt");
        pinned.erase("gleu");
        expect_figures(pinned, items, TextNormalizer::none, id + " pinned");
    }
}

}  // namespace craft::test
