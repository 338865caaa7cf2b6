#include "model/generate/sampler.h"

#include <gtest/gtest.h>

#include <algorithm>
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

// Of .4 at most: .3 * .4 = .12 leaves .3 .4 .15. After top-p's three tokens .5 * .4 leaves two. Temperature comes first: of
// the square roots .632 .548 .387 .316 .224 a share of .6 leaves those above .379.
TEST(Sampler, MinPIsAShareOfTheMostProbable) {
    const std::vector<float> logits = logits_of(kProbabilities);
    expect_frequencies(frequencies(logits, {.min_p = .3}), {.3 / .85, 0, .4 / .85, 0, .15 / .85});
    expect_frequencies(frequencies(logits, {.min_p = 1}), {0, 0, 1, 0, 0});
    expect_frequencies(frequencies(logits, {.min_p = .01}), kProbabilities);
    expect_frequencies(frequencies(logits, {.top_p = .84, .min_p = .5}), {.3 / .7, 0, .4 / .7, 0, 0});
    const double sum = std::sqrt(.3) + std::sqrt(.4) + std::sqrt(.15);
    expect_frequencies(frequencies(logits, {.temperature = 2, .min_p = .6}),
                       {std::sqrt(.3) / sum, 0, std::sqrt(.4) / sum, 0, std::sqrt(.15) / sum});
}

TEST(Sampler, MinPOfManyTokensAgreesWithPlainArithmetic) {
    Rng rng(7, "many");
    std::vector<float> logits;
    for (int i = 0; i < 200; ++i) logits.push_back(static_cast<float>(2 * rng.normal()));
    std::vector<double> expected;
    double highest = 0, sum = 0;
    for (const float logit : logits) highest = std::max(highest, expected.emplace_back(std::exp(logit / 0.8)));
    for (double& weight : expected) sum += weight = weight < 0.05 * highest ? 0 : weight;
    for (double& weight : expected) weight /= sum;
    EXPECT_GT(std::count(expected.begin(), expected.end(), 0), 150);
    expect_frequencies(frequencies(logits, {.temperature = 0.8, .min_p = 0.05}), expected);
}

// A filter that leaves all tokens changes no draw, be it alone or after top-k and top-p.
TEST(Sampler, FiltersThatLeaveAllDrawTheSame) {
    const std::vector<float> logits = logits_of(kProbabilities);
    for (const Sampling& plain : {Sampling{}, Sampling{0.7, 1, 3}, Sampling{1.5, 0.8}}) {
        Sampling filtered = plain;
        filtered.min_p = filtered.epsilon_cutoff = filtered.eta_cutoff = 1e-9;
        EXPECT_EQ(frequencies(logits, filtered, 2000), frequencies(logits, plain, 2000));
    }
}

TEST(Sampler, CutoffsAreProbabilities) {
    const std::vector<float> logits = logits_of(kProbabilities);
    expect_frequencies(frequencies(logits, {.epsilon_cutoff = .12}), {.3 / .85, 0, .4 / .85, 0, .15 / .85});
    expect_frequencies(frequencies(logits, {.epsilon_cutoff = .5}), {0, 0, 1, 0, 0});
    expect_frequencies(frequencies(logits, {.top_k = 2, .epsilon_cutoff = .45}), {0, 0, 1, 0, 0});  // of .43 and .57
    // The entropy is .361 + .230 + .367 + .150 + .285 = 1.392, its exponential with a minus .2485: sqrt(.2) * .2485 = .111,
    // below .2; sqrt(.04) * .2485 = .0497, above .04.
    expect_frequencies(frequencies(logits, {.eta_cutoff = .2}), {.3 / .85, 0, .4 / .85, 0, .15 / .85});
    expect_frequencies(frequencies(logits, {.eta_cutoff = .04}), kProbabilities);
    expect_frequencies(frequencies(logits, {.eta_cutoff = .9}), {.3 / .7, 0, .4 / .7, 0, 0});  // .236
}

// Surprises 1.204 2.303 .916 2.996 1.897 are .188 .910 .476 1.603 .505 from the entropy 1.392: by that, .3 .4 .15 .1 .05.
TEST(Sampler, TypicalTokensAreThoseNearTheEntropy) {
    const std::vector<float> logits = logits_of(kProbabilities);
    expect_frequencies(frequencies(logits, {.typical_p = .25}), {1, 0, 0, 0, 0});
    expect_frequencies(frequencies(logits, {.typical_p = .5}), {.3 / .7, 0, .4 / .7, 0, 0});
    expect_frequencies(frequencies(logits, {.typical_p = .8}), {.3 / .85, 0, .4 / .85, 0, .15 / .85});
    expect_frequencies(frequencies(logits, {.typical_p = .999}), kProbabilities);
    // Equal ones stay together: surprise log 4 each.
    expect_frequencies(frequencies({1, 1, 1, 1}, {.typical_p = .3}), {.25, .25, .25, .25});
}

// Entropies of the most probable ones, summed: .367 .728 1.012 1.243 1.392. Shares of 1.392: .5 is .696, .6 .835, .8 1.114.
TEST(Sampler, TopHIsAShareOfTheEntropy) {
    const std::vector<float> logits = logits_of(kProbabilities);
    expect_frequencies(frequencies(logits, {.top_h = .01}), {0, 0, 1, 0, 0});
    expect_frequencies(frequencies(logits, {.top_h = .5}), {0, 0, 1, 0, 0});
    expect_frequencies(frequencies(logits, {.top_h = .6}), {.3 / .7, 0, .4 / .7, 0, 0});
    expect_frequencies(frequencies(logits, {.top_h = .8}), {.3 / .85, 0, .4 / .85, 0, .15 / .85});
    expect_frequencies(frequencies(logits, {.top_h = 1}), kProbabilities);
    // Before top-k: of the three it would leave, .6 of the entropy is the first alone.
    expect_frequencies(frequencies(logits, {.top_k = 3, .top_h = .6}), {.3 / .7, 0, .4 / .7, 0, 0});
    std::vector<float> scratch;
    const std::vector<float> equal(150, 2);
    EXPECT_EQ(sampling_candidates(equal.data(), 150, {.top_h = 1}, scratch).size(), 100u);
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
    for (const Sampling& bad : std::vector<Sampling>{{.min_p = -.1},
                                                     {.min_p = 1.1},
                                                     {.min_p = NAN},
                                                     {.typical_p = 0},
                                                     {.typical_p = 1.1},
                                                     {.epsilon_cutoff = 1},
                                                     {.eta_cutoff = -1},
                                                     {.top_h = 1.1}})
        EXPECT_THROW(check_sampling(bad), Error);
    EXPECT_NO_THROW(check_sampling({0, 1, 0}));
    EXPECT_NO_THROW(check_sampling({.min_p = 1, .typical_p = 1, .top_h = 1}));
}

// Sums of .25, .75 and 1.75 after ids 0, 2 and 3; the rest of 1.75 is one that only rounding leaves.
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
