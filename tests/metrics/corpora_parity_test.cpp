// SARI, BLEU and quality estimates of whole corpora, thousands of items each: apart from the unit tests, which take a
// moment.
#include <gtest/gtest.h>

#include "tests/metrics/oracle_checks.h"

namespace craft {
namespace {

using namespace test;

TEST(MetricCorpora, SariOfTheReference) {
    CRAFT_REFERENCE_FILE(file, "oracles/sari.jsonl");
    for (const Json& oracle : oracle_cases(file, "sari_corpus")) expect_sari(oracle, oracle_items(oracle.at("inputs")));
}

TEST(MetricCorpora, BleuOfTheReference) {
    CRAFT_REFERENCE_FILE(file, "oracles/bleu.jsonl");
    MetricOptions lower, plain;
    lower.lowercase = true;
    plain.tokenizer = WordTokenizer::whitespace;
    for (const Json& oracle : oracle_cases(file, "bleu_corpus")) {
        const std::vector<MetricItem> items = oracle_items(oracle.at("inputs"));
        const Json& expected = oracle.at("expected");
        const Json figures = corpus_of("bleu", items);
        expect_bleu_figures(oracle, figures, expected.at("sacrebleu"));
        expect_bleu(oracle, "easse", figures.at("bleu").get<double>(), expected.at("easse_corpus_bleu"));
        const auto lowercased = corpus_of("bleu", items, lower).at("bleu").get<double>();
        expect_bleu(oracle, "lowercase", lowercased, expected.at("sacrebleu_lowercase"));
        expect_bleu(oracle, "easse's command", lowercased, expected.at("easse_cli_bleu"));
        expect_bleu(oracle, "none", corpus_of("bleu", items, plain).at("bleu").get<double>(),
                    expected.at("sacrebleu_tok_none"));
    }
}

TEST(MetricCorpora, EditevalOfTheReference) {
    CRAFT_REFERENCE_FILE(file, "oracles/editeval.jsonl");
    for (const Json& oracle : oracle_cases(file, "editeval_corpus"))
        expect_editeval_bleu(oracle, oracle_items(oracle.at("inputs")));
}

TEST(MetricCorpora, QualityOfTheReference) {
    CRAFT_REFERENCE_FILE(file, "oracles/quality.jsonl");
    MetricOptions lines, cased;
    lines.sentences = cased.sentences = SentenceUnit::line;  // sentences are not compared
    cased.lowercase = false;
    for (const Json& oracle : oracle_cases(file, "quality_corpus")) {
        const std::vector<MetricItem> items = oracle_items(oracle.at("inputs"));
        const Json figures = corpus_of("quality", items, lines);
        expect_estimates(oracle, figures, oracle.at("expected").at("easse_cli_lowercase"));
        expect_token_f1(oracle, figures);
        expect_estimates(oracle, corpus_of("quality", items, cased), oracle.at("expected").at("easse_api_default_cased"));
    }
}

}  // namespace
}  // namespace craft
