// Policy gradients: advantages, losses and gradients of single tokens by hand, and TRL's formulas (GRPOTrainer) in plain
// numbers on drawn ones.
#include "losses/policy.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <stdexcept>

#include "two_pairs.h"

namespace craft::test {
namespace {

TEST(Advantages, OfFourRewardsByHand) {
    const std::vector<double> rewards = {1, 0, 0.5, 0.5};
    // Mean 1/2, deviations 1/2, -1/2, 0, 0: of the sample sqrt(.5 / 3) = 0.408248.
    EXPECT_NEAR(reward_deviation(rewards), 0.408248290463863, 1e-15);
    const std::vector<std::pair<Advantage, double>> firsts = {
        {Advantage::grpo, 0.5 / (0.408248290463863 + 1e-4)},  // 1.224445
        {Advantage::rloo, 1 - (0 + 0.5 + 0.5) / 3},           // against the mean of the other three: 2/3
        {Advantage::dr_grpo, 0.5}};
    for (const auto& [form, first] : firsts) {
        const std::vector<double> advantages = advantages_of(rewards, form);
        ASSERT_EQ(advantages.size(), 4u);
        EXPECT_NEAR(advantages[0], first, 1e-12);
        EXPECT_NEAR(advantages[1], -first, 1e-12);  // rloo: 0 - (1 + .5 + .5) / 3
        EXPECT_EQ(advantages[2], 0);
        EXPECT_EQ(advantages[3], 0);
    }
    EXPECT_NEAR(advantages_of(rewards, Advantage::grpo)[0], 1.2244449448582857, 1e-12);
    EXPECT_THROW(advantages_of({1}, Advantage::rloo), std::invalid_argument);
}

// Tokens of two responses, the first with advantage 1 and ratios 1.5, .5, 1.1, the second with -2 and .5, 1.5; between .8
// and 1.28 no ratio is clipped.
//   -min(1.5, 1.28) = -1.28 (clipped)   -min(.5, .8) = -.5   -1.1   -min(-1, -1.6) = 1.6 (clipped)   -min(-3, -2.56) = 3
struct FiveTokens {
    std::vector<double> ratios = {1.5, 0.5, 1.1, 0.5, 1.5}, advantages = {1, 1, 1, -2, -2}, old = {-1, -2, -0.5, -3, -1.2};
    PolicyTokens tokens(const std::vector<double>& weights, double reference_ratio = 0) const {
        std::vector<double> logprobs, references;
        for (size_t i = 0; i < ratios.size(); ++i) {
            logprobs.push_back(old[i] + std::log(ratios[i]));
            references.push_back(logprobs[i] + std::log(reference_ratio));
        }
        PolicyTokens all{row(logprobs, true), row(old), {}, row(advantages), row(weights)};
        if (reference_ratio > 0) all.reference_logprobs = row(references);
        return all;
    }
};
const PolicyOptions kClipped = {.epsilon_low = 0.2, .epsilon_high = 0.28};

TEST(PolicyLoss, OfFiveTokensUnderEachMean) {
    const FiveTokens five;
    const auto loss = [&](const std::vector<double>& weights) {
        return value(policy_loss(kClipped, five.tokens(weights)).loss);
    };
    EXPECT_NEAR(loss(std::vector<double>(5, 1.0 / 5)), (-1.28 - 0.5 - 1.1 + 1.6 + 3) / 5, 1e-12);  // dapo: 0.344
    // grpo: responses of three tokens and of two; (-.96 + 2.3) / 2
    EXPECT_NEAR(loss({1.0 / 6, 1.0 / 6, 1.0 / 6, 1.0 / 4, 1.0 / 4}), 0.67, 1e-12);
    EXPECT_NEAR(loss(std::vector<double>(5, 1.0 / (2 * 10))), 1.72 / 20, 1e-12);  // dr_grpo of at most ten tokens
    const PolicyTerms terms = policy_loss(kClipped, five.tokens(std::vector<double>(5, 0.2)));
    EXPECT_EQ(terms.clipped, 2);
    EXPECT_EQ(terms.kl, 0);
}

TEST(PolicyLoss, GradientIsThatOfTheRatioUnlessItIsClipped) {
    const FiveTokens five;
    const PolicyTokens tokens = five.tokens(std::vector<double>(5, 0.2));
    policy_loss(kClipped, tokens).loss.backward();
    const std::vector<double> expected = {0, -0.5 / 5, -1.1 / 5, 0, 3.0 / 5};  // -rho A / 5
    for (size_t i = 0; i < expected.size(); ++i)
        EXPECT_NEAR(value(tokens.logprobs.grad()[static_cast<int64_t>(i)]), expected[i], 1e-12) << i;
}

TEST(PolicyLoss, DivergenceOfAReferenceTwiceAsLikely) {
    PolicyOptions options = kClipped;
    options.beta = 0.1;
    const PolicyTokens tokens = FiveTokens().tokens(std::vector<double>(5, 0.2), 2);
    const PolicyTerms terms = policy_loss(options, tokens);
    const double divergence = 2 - std::log(2.0) - 1;  // 0.306853
    EXPECT_NEAR(terms.kl, 5 * divergence, 1e-12);
    EXPECT_NEAR(value(terms.loss), 0.344 + 0.1 * divergence, 1e-12);
    terms.loss.backward();
    // d/dlogp of exp(ref - logp) - (ref - logp) - 1 is 1 - 2 = -1
    EXPECT_NEAR(value(tokens.logprobs.grad()[0]), 0.1 * -1 / 5, 1e-12);
    EXPECT_NEAR(value(tokens.logprobs.grad()[4]), (3 - 0.1) / 5, 1e-12);
}

TEST(PolicyLoss, WithoutOldOnesRatiosAreOneAndTheGradientIsTheAdvantage) {
    PolicyTokens tokens = FiveTokens().tokens(std::vector<double>(5, 0.2));
    tokens.old_logprobs = at::Tensor();
    const PolicyTerms terms = policy_loss(kClipped, tokens);
    EXPECT_NEAR(value(terms.loss), (-3 * 1 + 2 * 2) / 5.0, 1e-12);
    EXPECT_EQ(terms.clipped, 0);
    terms.loss.backward();
    EXPECT_NEAR(value(tokens.logprobs.grad()[0]), -0.2, 1e-12);
    EXPECT_NEAR(value(tokens.logprobs.grad()[3]), 0.4, 1e-12);
}

// TRL, GRPOTrainer._compute_loss: coef_1 = exp(per_token_logps - old), coef_2 = clamp(coef_1, 1 - epsilon_low, 1 +
// epsilon_high), per_token_loss = -min(coef_1 A, coef_2 A) + beta (exp(ref - logp) - (ref - logp) - 1).
double by_trl(const PolicyOptions& o, double logprob, double old, double reference, double advantage) {
    const double coef_1 = std::exp(logprob - old);
    const double coef_2 = std::min(std::max(coef_1, 1 - o.epsilon_low), 1 + o.epsilon_high);
    const double kl = std::exp(reference - logprob) - (reference - logprob) - 1;
    return -std::min(coef_1 * advantage, coef_2 * advantage) + o.beta * kl;
}

TEST(PolicyLoss, AgreesWithTrlsFormulasAndTheirCentralDifferences) {
    const PolicyOptions options = {.beta = 0.04, .epsilon_low = 0.1, .epsilon_high = 0.3};
    std::mt19937 random(5);
    std::normal_distribution<double> normal;
    constexpr size_t kCount = 60;
    std::vector<double> logprobs, old, reference, advantages, weights;
    for (size_t i = 0; i < kCount; ++i) {
        logprobs.push_back(-std::abs(normal(random)));
        old.push_back(logprobs[i] + 0.3 * normal(random));
        reference.push_back(logprobs[i] + 0.5 * normal(random));
        advantages.push_back(normal(random));
        weights.push_back(0.01 * static_cast<double>(1 + i % 3));
    }
    const PolicyTokens tokens{row(logprobs, true), row(old), row(reference), row(advantages), row(weights)};
    const PolicyTerms terms = policy_loss(options, tokens);
    terms.loss.backward();
    double loss = 0, clipped = 0;
    for (size_t i = 0; i < kCount; ++i) {
        const auto at_logprob = [&](double logprob) {
            return weights[i] * by_trl(options, logprob, old[i], reference[i], advantages[i]);
        };
        loss += at_logprob(logprobs[i]);
        const double ratio = std::exp(logprobs[i] - old[i]);
        clipped += (ratio < 0.9 && advantages[i] < 0) || (ratio > 1.3 && advantages[i] > 0) ? 1 : 0;
        // No ratio of these lies within h of a kink; the error of the difference is about 1e-10 (gradients_test.cpp).
        const double h = 1e-5, difference = (at_logprob(logprobs[i] + h) - at_logprob(logprobs[i] - h)) / (2 * h);
        EXPECT_NEAR(value(tokens.logprobs.grad()[static_cast<int64_t>(i)]), difference, 1e-8) << i;
    }
    EXPECT_NEAR(value(terms.loss), loss, 1e-12);
    EXPECT_EQ(terms.clipped, clipped);
    EXPECT_GT(clipped, 5);
    EXPECT_LT(clipped, 40);
}

TEST(PolicyLoss, RefusesTokensThatDoNotFit) {
    const PolicyOptions with_reference = {.beta = 0.1};
    EXPECT_THROW(policy_loss(with_reference, FiveTokens().tokens(std::vector<double>(5, 1))), std::invalid_argument);
    EXPECT_THROW(policy_loss({}, FiveTokens().tokens({1, 1})), std::invalid_argument);
    EXPECT_THROW(policy_loss({}, PolicyTokens{row({}), {}, {}, row({}), row({})}), std::invalid_argument);
}

}  // namespace
}  // namespace craft::test
