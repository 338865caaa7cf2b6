#include "metrics/gleu_choices.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "metrics/gleu_corpus.h"
#include "metrics/gleu_sums.h"

namespace craft {
namespace {

// One reference of four has a 4-gram that matches, the others have none: figures of sums that are often 0 and never large.
std::vector<GleuCounts> sparse_item() {
    GleuCounts counts = {.prediction_length = 7, .reference_length = 7, .matches = {5, 3, 1, 1}, .totals = {7, 6, 5, 4}};
    std::vector<GleuCounts> references(4, counts);
    for (size_t r = 1; r < references.size(); ++r) references[r].matches[3] = 0;
    return references;
}

// The number k of items whose matching reference is taken is binomial, and with it the 4-grams that match.
double sparse_mean(int items) {
    double mean = 0, chance = std::pow(0.75, items);  // of k = 0, whose figure is 0
    for (int k = 1; k <= items; ++k) {
        chance *= (items - k + 1.0) / k * 0.25 / 0.75;
        mean += chance * std::pow(5.0 / 7 * 3 / 6 * 1 / 5 * k / (4.0 * items), 0.25);
    }
    return mean;
}

GleuFigures exact_figures(const std::vector<std::vector<GleuCounts>>& items) {
    GleuCorpus corpus;
    for (const auto& references : items) corpus.add(references);
    return corpus.figures(GleuDraws::exact);
}

TEST(GleuChoices, AMillionAreScoredOneByOne) {
    const GleuFigures figures = exact_figures({9, sparse_item()});
    EXPECT_EQ(figures.plan.way, ExactGleuWay::enumerated);
    EXPECT_EQ(figures.plan.choices, 262144);  // 4 ^ 9
    EXPECT_NEAR(figures.mean, sparse_mean(9), 1e-12);
}

// 4 ^ 20 choices, of which one in 315 has no 4-gram that matches, so that the logarithm's expansion is no way to their mean.
TEST(GleuChoices, OfMoreSmallSumsAreDrawn) {
    const GleuFigures figures = exact_figures({20, sparse_item()});
    EXPECT_EQ(figures.plan.way, ExactGleuWay::sampled);
    EXPECT_EQ(figures.plan.choices, 262144);
    EXPECT_NEAR(figures.mean, sparse_mean(20), 4 * figures.deviation / 512);
}

// 2,000 items: 500 4-grams are expected, 19.4 the deviation of their number.
TEST(GleuChoices, LargeSumsAreExpanded) {
    const GleuFigures figures = exact_figures({2000, sparse_item()});
    EXPECT_EQ(figures.plan.way, ExactGleuWay::expansion);
    EXPECT_NEAR(figures.mean, sparse_mean(2000), 1e-6);
}

std::vector<std::vector<GleuCounts>> different_items() {
    std::vector<std::vector<GleuCounts>> items(15, sparse_item());
    for (size_t i = 0; i < items.size(); ++i)
        for (size_t r = 0; r < items[i].size(); ++r)
            items[i][r].reference_length = static_cast<int64_t>(5 + (i + r * r) % 6);
    items.push_back({sparse_item()[1]});  // which leaves no choice
    return items;
}

TEST(GleuChoices, DrawnOnesHangOnNoOrderOfItems) {
    auto items = different_items();
    const GleuFigures forth = exact_figures(items);
    ASSERT_EQ(forth.plan.way, ExactGleuWay::sampled);
    std::reverse(items.begin(), items.end());
    std::swap(items[2], items[5]);
    EXPECT_EQ(exact_figures(items).mean, forth.mean);
    EXPECT_EQ(exact_figures(items).deviation, forth.deviation);
}

// Comparisons make the corpus's own figure of every item once, whichever way it is found.
TEST(GleuChoices, SumsOfAllItemsGiveTheCorpusFigure) {
    for (const auto& items : {std::vector<std::vector<GleuCounts>>{6, sparse_item()}, different_items()}) {
        std::vector<size_t> places(items.size());
        for (size_t i = 0; i < places.size(); ++i) places[i] = i;
        const auto sums = gleu_sums(items, places, GleuDraws::exact);
        std::vector<double> all(sums->width(), 0);
        sums->add(std::vector<uint32_t>(items.size(), 1), all);
        EXPECT_EQ(sums->figure(all), exact_figures(items).mean);
    }
}

}  // namespace
}  // namespace craft
