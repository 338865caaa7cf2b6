// What figures are held against, of the reference numbers of sentences (unit tests) and of whole corpora (parity tests).
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "tests/metrics/oracles.h"

namespace craft::test {

inline MetricOptions with_variant(MetricVariant variant) {
    MetricOptions options;
    options.variant = variant;
    return options;
}

// The figures of these items for each variant: counts do not depend on it, so that items are measured once.
inline std::map<std::string, Json> sari_figures_of(const std::vector<MetricItem>& items) {
    const auto measuring = make_metric("sari");
    std::map<std::string, std::unique_ptr<Metric>> metrics;
    metrics["sari"] = make_metric("sari");
    metrics["sari_del_precision"] = make_metric("sari", with_variant(MetricVariant::del_precision));
    metrics["sari_micro"] = make_metric("sari", with_variant(MetricVariant::micro));
    for (const MetricItem& item : items) {
        const ItemScore score = measuring->measure(item);
        for (const auto& [name, metric] : metrics) metric->add(score);
    }
    std::map<std::string, Json> figures;
    for (const auto& [name, metric] : metrics) figures[name] = metric->corpus();
    return figures;
}

inline void expect_sari(const Json& oracle, const std::vector<MetricItem>& items) {
    const Json& expected = oracle.at("expected");
    const auto check = [&](const std::string& key, const Json& figure) {
        EXPECT_NEAR(figure.get<double>(), expected.at(key).get<double>(), oracle.at("tolerance").get<double>())
            << oracle.at("id") << " " << key;
    };
    auto figures = sari_figures_of(items);
    for (const char* part : {"add", "keep", "del"}) check(part, figures["sari"].at(part));
    for (const auto& [key, figure] : figures) check(key, figure.at("sari"));
    MetricOptions cased, intl;
    cased.lowercase = false;
    intl.tokenizer = WordTokenizer::intl;
    check("sari_cased", corpus_of("sari", items, cased).at("sari"));
    check("sari_tok_intl", corpus_of("sari", items, intl).at("sari"));
    check("sari_legacy", corpus_of("sari", items, with_variant(MetricVariant::legacy)).at("sari"));
}

inline void expect_bleu(const Json& oracle, const std::string& what, double figure, const Json& expected) {
    EXPECT_NEAR(figure, expected.get<double>(), oracle.at("tolerance").get<double>()) << oracle.at("id") << " " << what;
}

inline void expect_bleu_figures(const Json& oracle, const Json& figures, const Json& expected) {
    expect_bleu(oracle, "score", figures.at("bleu").get<double>(), expected.at("score"));
    expect_bleu(oracle, "bp", figures.at("bp").get<double>(), expected.at("bp"));
    for (size_t n = 0; n < 4; ++n)
        expect_bleu(oracle, "precision", figures.at("precisions")[n].get<double>(), expected.at("precisions")[n]);
    for (const char* key : {"counts", "totals", "sys_len", "ref_len"})
        EXPECT_EQ(figures.at(key), expected.at(key)) << oracle.at("id") << " " << key;
}

inline MetricOptions as_editeval() {
    MetricOptions options;
    options.variant = MetricVariant::editeval;
    return options;
}

// EditEval's BLEU, iBLEU and SARI on texts as they are, with the words that NLTK 3.10.4 makes of whole texts.
inline void expect_editeval_bleu(const Json& oracle, const std::vector<MetricItem>& items) {
    const Json& expected = oracle.at("expected").at("raw/treebank_only");
    MetricOptions bleu = as_editeval(), ibleu;
    bleu.tokenizer = ibleu.tokenizer = WordTokenizer::nltk_3_10;
    expect_bleu(oracle, "bleu", corpus_of("bleu", items, bleu).at("bleu").get<double>(), expected.at("bleu"));
    expect_bleu(oracle, "ibleu", corpus_of("ibleu", items, ibleu).at("ibleu").get<double>(), expected.at("ibleu"));
    expect_bleu(oracle, "sari", corpus_of("sari", items).at("sari").get<double>(), expected.at("sari"));
    expect_bleu(oracle, "sacrebleu", corpus_of("bleu", items).at("bleu").get<double>(), expected.at("sacrebleu"));
}

inline void expect_estimates(const Json& oracle, const Json& figures, const Json& expected) {
    for (const char* key :
         {"compression_ratio", "levenshtein_similarity", "exact_copies", "additions_proportion", "deletions_proportion"})
        EXPECT_NEAR(figures.at(key).get<double>(), expected.at(key).get<double>(), oracle.at("tolerance").get<double>())
            << oracle.at("id") << " " << key;
}

inline void expect_token_f1(const Json& oracle, const Json& figures) {
    EXPECT_NEAR(figures.at("f1_token").get<double>(), oracle.at("expected").at("f1_token").get<double>(),
                oracle.at("tolerance").get<double>())
        << oracle.at("id");
}

}  // namespace craft::test
