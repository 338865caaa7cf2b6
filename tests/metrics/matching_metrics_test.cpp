// What holds of all metrics that compare a revision with references by its words or edits.
#include <gtest/gtest.h>

#include <algorithm>

#include "metrics/registry.h"

namespace craft {
namespace {

const std::vector<std::string> kMetrics{"exact_match", "diff_match", "insert_delete", "gleu", "rouge", "update_rouge"};

std::vector<MetricItem> some_items() {
    return {{"1", "I has a old dog .", "I have an old dog .", {"I have an old dog .", "I had an old dog ."}},
            {"2", "He go home . It rain .", "He goes home . It rain .", {"He went home . It rained ."}},
            {"3", "Good as it is .", "Good as it is .", {"Good as it is .", "Fine as it is .", "It is good ."}},
            {"4", "gone", "", {"", "here"}},
            {"5", "", "new \u00E9 text\r\n", {"new text"}}};
}

Json corpus_of_items(const std::string& name, const std::vector<MetricItem>& items, const MetricOptions& options = {}) {
    const auto metric = make_metric(name, options);
    for (const MetricItem& item : items) metric->add(metric->measure(item));
    return metric->corpus();
}

// Of an edited text the reference itself is the best that there is.
TEST(MatchingMetrics, TheReferenceItselfIsBest) {
    for (const std::string& name : kMetrics) {
        const MetricItem item{"1", "I has a old dog .", "I have an old dog .", {"I have an old dog ."}};
        EXPECT_EQ(corpus_of_items(name, {item}).at(name), 1) << name;
    }
}

TEST(MatchingMetrics, AnEmptyPredictionScoresNothing) {
    for (const std::string& name : kMetrics) {
        const MetricItem item{"1", "I has a old dog .", "", {"I have an old dog ."}};
        const double figure = corpus_of_items(name, {item}).at(name).get<double>();
        EXPECT_GE(figure, 0) << name;
        EXPECT_LT(figure, name == "insert_delete" ? 0.5 : 0.01) << name;  // what it deletes with the reference
    }
}

TEST(MatchingMetrics, ACopyMakesNoEdit) {
    const MetricItem copy{"1", "I has a old dog .", "I has a old dog .", {"I have an old dog ."}};
    EXPECT_EQ(corpus_of_items("diff_match", {copy}).at("diff_match"), 0);
    EXPECT_EQ(corpus_of_items("exact_match", {copy}).at("exact_match"), 0);
    EXPECT_EQ(corpus_of_items("update_rouge", {copy}).at("update_rouge"), 0);
}

// Of all but GLEU, whose draws follow the items' order, as the script's do.
TEST(MatchingMetrics, OrderChangesNoDigit) {
    std::vector<MetricItem> items = some_items();
    for (const std::string& name : kMetrics) {
        if (name == "gleu") continue;
        const Json forth = corpus_of_items(name, items);
        std::reverse(items.begin(), items.end());
        EXPECT_EQ(corpus_of_items(name, items), forth) << name;
    }
}

TEST(MatchingMetrics, TextsAreBroughtIntoOneForm) {
    MetricOptions treebank;
    treebank.normalize = TextNormalizer::treebank;
    const MetricItem item{"1", "He do n't go .", "He doesn't go.", {"He does n't go ."}};
    EXPECT_EQ(corpus_of_items("exact_match", {item}).at("exact_match"), 0);
    EXPECT_EQ(corpus_of_items("exact_match", {item}, treebank).at("exact_match"), 1);
    EXPECT_EQ(make_metric("exact_match", treebank)->signature(),
              "exact_match|EditEval-013cd20|-|text|as given,detokenised-nltk-3.10.4");
    MetricOptions cased = treebank;
    cased.lowercase = false;
    EXPECT_THAT(make_metric("sari", treebank)->signature(), testing::EndsWith("|lowercase,detokenised-nltk-3.10.4"));
    EXPECT_THAT(make_metric("sari", cased)->signature(), testing::EndsWith("|cased,detokenised-nltk-3.10.4"));
    EXPECT_EQ(make_metric("gleu", treebank)->options().at("normalize"), "treebank");
}

// The printed list of one reference has that reference's words alone, that of two references those of both.
TEST(MatchingMetrics, PublishedRougeComparesWithAllReferencesAtOnce) {
    MetricOptions published;
    published.variant = MetricVariant::published;
    MetricItem item{"1", "", "a b", {"a b"}};
    EXPECT_EQ(corpus_of_items("rouge", {item}, published).at("rouge"), 1);
    item.references = {"a b", "c d"};  // precision 2/2, recall 2/4
    EXPECT_NEAR(corpus_of_items("rouge", {item}, published).at("rouge").get<double>(), 2.0 / 3, 1e-15);
    EXPECT_EQ(corpus_of_items("rouge", {item}).at("rouge"), 1);
}

TEST(MatchingMetrics, TextsWithoutWordsAreCounted) {
    const Json figures =
        corpus_of_items("rouge", {{"1", "", "\u4F60\u597D", {"\u4F60\u597D", "", "x"}}, {"2", "", "a", {"a"}}});
    EXPECT_EQ(figures.at("texts_without_words"), 3);
    EXPECT_EQ(figures.at("rouge"), 0.5);
    for (const char* name : {"rouge", "update_rouge"}) {
        const auto metric = make_metric(name);
        metric->add(metric->measure({"1", "x", "a", {"a"}}));
        EXPECT_EQ(metric->warning(), "") << name;
        metric->add(metric->measure({"2", "x", "\u4F60", {"\u4F60", "a"}}));
        EXPECT_EQ(metric->corpus().at("texts_without_words"), 2) << name;
        EXPECT_THAT(metric->warning(), testing::EndsWith(": 2")) << name;
    }
}

TEST(MatchingMetrics, UpdateRougeHasMeanAndBest) {
    const Json figures = corpus_of_items("update_rouge", {{"1", "Old.", "Old. New cat.", {"Old. New cat.", "Old. Dog."}}});
    EXPECT_EQ(figures.at("update_rouge"), 0.5);
    EXPECT_EQ(figures.at("update_rouge1_best"), 1);
}

}  // namespace
}  // namespace craft
