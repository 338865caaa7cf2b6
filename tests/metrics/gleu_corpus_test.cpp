#include "metrics/gleu_corpus.h"

#include <gtest/gtest.h>

#include <cmath>

#include "core/rng.h"

namespace craft {
namespace {

GleuCounts counts_of(int64_t reference_length, std::array<int64_t, kGleuOrder> matches) {
    return {.prediction_length = 10, .reference_length = reference_length, .matches = matches, .totals = {10, 9, 8, 7}};
}

// Two items, one with two references: a draw takes one of the two corpora that there are, each about as often.
TEST(GleuCorpus, ADrawTakesOneReferenceAnItem) {
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
    const double mean = (first + second) / 2, deviation = std::abs(first - second) / 2;
    const GleuFigures drawn = corpus.figures(GleuDraws::python3);
    EXPECT_NEAR(drawn.mean, mean, 4 * deviation / std::sqrt(500));
    EXPECT_NEAR(drawn.deviation, deviation, 0.02 * deviation);
}

TEST(GleuCorpus, OneReferenceLeavesNoChoice) {
    GleuCorpus corpus;
    corpus.add(std::vector{counts_of(10, {8, 6, 4, 2})});
    for (const GleuDraws draws : {GleuDraws::python3, GleuDraws::python2}) {
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

}  // namespace
}  // namespace craft
