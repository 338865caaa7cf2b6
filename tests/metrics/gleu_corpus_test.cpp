#include "metrics/gleu_corpus.h"

#include <gtest/gtest.h>

#include <cmath>

#include "core/rng.h"
#include "metrics/gleu_expansion.h"

namespace craft {
namespace {

GleuCounts counts_of(int64_t reference_length, std::array<int64_t, kGleuOrder> matches) {
    return {.prediction_length = 10, .reference_length = reference_length, .matches = matches, .totals = {10, 9, 8, 7}};
}

// Two items, one with two references: the two corpora that there are, each as likely.
TEST(GleuCorpus, ExactIsTheMeanOverChoices) {
    const GleuCounts one = counts_of(10, {8, 6, 4, 2}), two = counts_of(12, {9, 8, 7, 6}),
                     three = counts_of(9, {5, 4, 3, 2});
    GleuCorpus corpus;
    corpus.add(std::vector{one});
    corpus.add(std::vector{two, three});
    const auto both = [](const GleuCounts& a, const GleuCounts& b) {
        GleuCounts sum = a;
        sum.prediction_length += b.prediction_length;
        sum.reference_length += b.reference_length;
        for (size_t n = 0; n < kGleuOrder; ++n) {
            sum.matches[n] += b.matches[n];
            sum.totals[n] += b.totals[n];
        }
        return gleu(sum, false);
    };
    const double first = both(one, two), second = both(one, three);
    const GleuFigures exact = corpus.figures(GleuDraws::exact);
    EXPECT_NEAR(exact.mean, (first + second) / 2, 1e-15);
    EXPECT_NEAR(exact.deviation, std::abs(first - second) / 2, 1e-15);
    // The draws take one of the two.
    const GleuFigures drawn = corpus.figures(GleuDraws::python3);
    EXPECT_NEAR(drawn.mean, exact.mean, 4 * exact.deviation / std::sqrt(500));
}

TEST(GleuCorpus, OneReferenceLeavesNoChoice) {
    GleuCorpus corpus;
    corpus.add(std::vector{counts_of(10, {8, 6, 4, 2})});
    for (const GleuDraws draws : {GleuDraws::python3, GleuDraws::python2, GleuDraws::exact}) {
        EXPECT_NEAR(corpus.figures(draws).mean, gleu(counts_of(10, {8, 6, 4, 2}), false), 1e-15);
        EXPECT_NEAR(corpus.figures(draws).deviation, 0, 1e-15);
    }
}

std::vector<std::vector<GleuCounts>> random_items(size_t items) {
    Rng rng(3, "gleu corpus");
    std::vector<std::vector<GleuCounts>> made(items);
    for (auto& references : made) {
        for (int r = 0; r < 3; ++r) {
            const int64_t ones = rng.between(5, 9), twos = rng.between(4, ones - 1);
            references.push_back(counts_of(rng.between(8, 12), {ones, twos, twos - 1, twos - 2}));
        }
    }
    return made;
}

// Ten items of three references have 59,049 choices, which are all scored; the normal approximation of the same is nearly
// that, though the mean length is the prediction's, where the penalty has its kink.
TEST(GleuCorpus, ThreadsShareTheDraws) {
    GleuCorpus corpus;
    for (const auto& references : random_items(20)) corpus.add(references);
    for (const GleuDraws draws : {GleuDraws::python3, GleuDraws::python2}) {
        const GleuFigures one = corpus.figures(draws, 7);
        for (const int64_t threads : {2, 3, 9}) {
            EXPECT_EQ(corpus.figures(draws, 7, threads).mean, one.mean) << threads;
            EXPECT_EQ(corpus.figures(draws, 7, threads).deviation, one.deviation) << threads;
        }
        EXPECT_NE(corpus.figures(draws, 8).mean, one.mean);
    }
}

TEST(GleuCorpus, TheExpansionIsNearTheMeanOverAllChoices) {
    GleuCorpus few;
    GleuCounts common;
    GleuMoments moments;
    for (const auto& references : random_items(10)) {
        few.add(references);
        common.prediction_length += 10;
        for (size_t n = 0; n < kGleuOrder; ++n) common.totals[n] += references[0].totals[n];
        const auto variable = [](const GleuCounts& counts, size_t v) {
            return static_cast<double>(v == 0 ? counts.reference_length : counts.matches[v - 1]);
        };
        for (size_t v = 0; v < kGleuVariables; ++v) {
            for (size_t w = 0; w < kGleuVariables; ++w) {
                double products = 0, first = 0, second = 0;
                for (const GleuCounts& counts : references) {
                    products += variable(counts, v) * variable(counts, w) / 3;
                    first += variable(counts, v) / 3;
                    second += variable(counts, w) / 3;
                }
                moments.covariance[v][w] += products - first * second;
                if (w == 0) moments.mean[v] += first;
            }
        }
    }
    const GleuFigures exact = few.figures(GleuDraws::exact);
    const GleuExpectation expected = expected_gleu(common, moments);
    EXPECT_NEAR(expected.mean, exact.mean, 2e-4);
    EXPECT_NEAR(expected.deviation, exact.deviation, 1e-3);
}

TEST(GleuCorpus, ExactHangsOnNoOrder) {
    auto items = random_items(40);
    GleuCorpus forth, back;
    for (const auto& references : items) forth.add(references);
    for (auto item = items.rbegin(); item != items.rend(); ++item) back.add(*item);
    EXPECT_EQ(forth.figures(GleuDraws::exact).mean, back.figures(GleuDraws::exact).mean);
    EXPECT_EQ(forth.figures(GleuDraws::exact).deviation, back.figures(GleuDraws::exact).deviation);
}

}  // namespace
}  // namespace craft
