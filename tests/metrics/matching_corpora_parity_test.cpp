// GLEU and EditEval's other figures of whole corpora, thousands of items each: apart from the unit tests, which take a
// moment.
#include <gtest/gtest.h>

#include "metrics/gleu_corpus.h"
#include "metrics/words.h"
#include "tests/metrics/editeval_checks.h"

namespace craft {
namespace {

TEST(MatchingCorpora, EqualEditEval) {
    CRAFT_REFERENCE_FILE(oracle, "oracles/editeval.jsonl");
    test::expect_cases(oracle, "editeval_corpus", 10);
}

std::string words(const std::string& text) {
    return tokenised(text, WordTokenizer::whitespace, false);
}

TEST(MatchingCorpora, GleuEqualsTheScript) {
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
    }
}

TEST(MatchingCorpora, GleuEqualsPython2) {
    CRAFT_REFERENCE_FILE(oracle, "oracles/gleu.jsonl");
    const auto cases = test::oracle_cases(oracle, "gleu_corpus_python2_rng");
    ASSERT_EQ(cases.size(), 1U);
    MetricOptions options;
    options.draws = GleuDraws::python2;
    const Json figures = test::corpus_of("gleu", test::oracle_items(cases[0].at("inputs")), options);
    EXPECT_NEAR(figures.at("gleu").get<double>(), cases[0].at("expected").at("gleu").get<double>(), 1e-6);
    EXPECT_NEAR(figures.at("deviation").get<double>(), cases[0].at("expected").at("std").get<double>(), 1e-6);
}

}  // namespace
}  // namespace craft
