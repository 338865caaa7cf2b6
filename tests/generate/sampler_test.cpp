#include "generate/sampler.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "core/error.h"

namespace craft {
namespace {

// Probabilities .4 .3 .15 .1 .05 at ids 2 0 4 1 3.
const std::vector<double> kProbabilities = {.3, .1, .4, .05, .15};
std::vector<float> logits_of(const std::vector<double>& probabilities) {
    std::vector<float> logits;
    for (const double p : probabilities) logits.push_back(static_cast<float>(std::log(p) + 3));
    return logits;
}

std::vector<double> frequencies(const std::vector<float>& logits, const Sampling& sampling, int draws = 40000) {
    Rng rng(5, "draws");
    std::vector<float> scratch;
    std::vector<double> counts(logits.size());
    for (int i = 0; i < draws; ++i)
        counts[static_cast<size_t>(
            sample_token(logits.data(), static_cast<int64_t>(logits.size()), sampling, rng, scratch))] += 1.0 / draws;
    return counts;
}

// Standard deviation of a frequency is at most sqrt(.25 / 40000) = .0025: four of them.
void expect_frequencies(const std::vector<double>& got, const std::vector<double>& expected) {
    for (size_t i = 0; i < expected.size(); ++i) {
        EXPECT_NEAR(got[i], expected[i], 0.01) << i;
        if (expected[i] == 0) {
            EXPECT_EQ(got[i], 0) << i;
        }
    }
}

TEST(Sampler, PlainDistribution) {
    expect_frequencies(frequencies(logits_of(kProbabilities), {}), kProbabilities);
}

TEST(Sampler, TemperatureIsAPowerOfTheProbabilities) {
    const double half = std::sqrt(.3) + std::sqrt(.1) + std::sqrt(.4) + std::sqrt(.05) + std::sqrt(.15);
    std::vector<double> expected;
    for (const double p : kProbabilities) expected.push_back(std::sqrt(p) / half);
    expect_frequencies(frequencies(logits_of(kProbabilities), {.temperature = 2}), expected);
}

TEST(Sampler, TopKKeepsExactlyTheLargest) {
    expect_frequencies(frequencies(logits_of(kProbabilities), {.top_k = 2}), {.3 / .7, 0, .4 / .7, 0, 0});
    expect_frequencies(frequencies(logits_of(kProbabilities), {.top_k = 1}), {0, 0, 1, 0, 0});
    expect_frequencies(frequencies(logits_of(kProbabilities), {.top_k = 9}), kProbabilities);
    expect_frequencies(frequencies({1, 2, 1, 1}, {.top_k = 2}),
                       {1 / (3 + M_E), M_E / (3 + M_E), 1 / (3 + M_E), 1 / (3 + M_E)});
}

TEST(Sampler, TopPKeepsExactlyTheNucleus) {
    expect_frequencies(frequencies(logits_of(kProbabilities), {.top_p = .39}), {0, 0, 1, 0, 0});
    expect_frequencies(frequencies(logits_of(kProbabilities), {.top_p = .41}), {.3 / .7, 0, .4 / .7, 0, 0});
    expect_frequencies(frequencies(logits_of(kProbabilities), {.top_p = .84}), {.3 / .85, 0, .4 / .85, 0, .15 / .85});
    expect_frequencies(frequencies(logits_of(kProbabilities), {.top_p = .96}), kProbabilities);
    // top-p counts what top-k left: of .4 .3 .15 (sum .85), .8 of the mass needs the first two (.7 / .85 = .82).
    expect_frequencies(frequencies(logits_of(kProbabilities), {.top_p = .8, .top_k = 3}), {.3 / .7, 0, .4 / .7, 0, 0});
}

TEST(Sampler, NucleusOfManyTokensAgreesWithPlainSorting) {
    Rng rng(6, "many");
    std::vector<float> logits, scratch;
    for (int i = 0; i < 3000; ++i) logits.push_back(static_cast<float>(2 * rng.normal()));
    std::vector<std::pair<double, int64_t>> sorted;
    double total = 0;
    for (size_t i = 0; i < logits.size(); ++i) total += std::exp(logits[i]);
    for (size_t i = 0; i < logits.size(); ++i) sorted.emplace_back(-std::exp(logits[i]) / total, static_cast<int64_t>(i));
    std::sort(sorted.begin(), sorted.end());
    std::set<int64_t> nucleus, drawn;
    double mass = 0;
    for (size_t i = 0; mass < 0.3; ++i) {
        mass -= sorted[i].first;
        nucleus.insert(sorted[i].second);
    }
    for (int i = 0; i < 20000; ++i) drawn.insert(sample_token(logits.data(), 3000, {.top_p = 0.3}, rng, scratch));
    for (const int64_t id : drawn) EXPECT_TRUE(nucleus.count(id) > 0) << id;
    EXPECT_EQ(drawn.size(), nucleus.size());
}

TEST(Sampler, GreedyIsTheFirstArgMax) {
    const std::vector<float> logits = {1, 5, -INFINITY, 5, 4};
    EXPECT_EQ(greedy_token(logits.data(), 5), 1);
    for (const std::vector<float>& broken : {std::vector<float>{1, NAN}, {1, INFINITY}, {-INFINITY, -INFINITY}})
        EXPECT_THROW(greedy_token(broken.data(), 2), Error);
}

TEST(Sampler, MaskedTokensAreNeverDrawn) {
    expect_frequencies(frequencies({0, -INFINITY, 0}, {}), {.5, 0, .5});
    expect_frequencies(frequencies({0, -INFINITY, 0}, {.temperature = .01, .top_p = .99}), {.5, 0, .5});
}

TEST(Sampler, RefusesSenselessOptions) {
    for (const Sampling& bad : {Sampling{-1, 1, 0}, Sampling{NAN, 1, 0}, Sampling{1e-40, 1, 0}, Sampling{1, 0, 0},
                                Sampling{1, 1.5, 0}, Sampling{1, 1, -1}})
        EXPECT_THROW(check_sampling(bad), Error);
    EXPECT_NO_THROW(check_sampling({0, 1, 0}));
}

// Sums of .25, .75 and 1.75 behind ids 0, 2 and 3; the rest of 1.75 is one that only rounding leaves.
TEST(Sampler, ARunningSumTellsWhatIsLeftBeforeIt) {
    const std::vector<float> weights = {0.25F, 0, 0.5F, 1, 0};
    const auto passing = [&](double left) {
        const size_t index = index_passing(weights, left);
        return std::pair(index, left);
    };
    EXPECT_EQ(passing(0), (std::pair<size_t, double>(0, 0)));
    EXPECT_EQ(passing(0.25), (std::pair<size_t, double>(2, 0)));
    EXPECT_EQ(passing(1), (std::pair<size_t, double>(3, 0.25)));
    EXPECT_EQ(passing(1.75), (std::pair<size_t, double>(3, 1)));
}

}  // namespace
}  // namespace craft
