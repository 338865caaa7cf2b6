// DPO on two pairs, against arithmetic done by hand.
#include <gtest/gtest.h>

#include <stdexcept>

#include "two_pairs.h"

namespace craft::test {
namespace {

TEST(Dpo, OfTwoPairs) {
    // beta 0.1: 0.1 * (0.5 - -0.5) = 0.1 and 0.1 * (-1 - 1) = -0.2; ln(1 + e^-0.1) = 0.644397, ln(1 + e^0.2) = 0.798139
    const LossTerms terms = preference_loss(default_loss_options(LossName::dpo), two_pairs());
    EXPECT_NEAR(value(terms.preference_sum), 0.6443966600735709 + 0.7981388693815918, 1e-12);
    EXPECT_NEAR(terms.metrics.margin, 0.1 - 0.2, 1e-12);
    EXPECT_EQ(terms.metrics.accuracy, 1);
    EXPECT_EQ(value(terms.nll_sum), 0) << "alpha is 0 unless one is given";
    EXPECT_EQ(terms.metrics.nll, 8) << "and the likelihood is told all the same";
}

TEST(Dpo, TakesLikelihoodAndSmoothing) {
    // epsilon 0.1 adds 0.1 times the margins, as for SimPO: 0.644397 + 0.01 and 0.798139 - 0.02. NLL: 0.25 * (2 + 6).
    LossOptions options = default_loss_options(LossName::dpo);
    options.alpha = 0.25;
    options.label_smoothing = 0.1;
    const LossTerms terms = preference_loss(options, two_pairs());
    EXPECT_NEAR(value(terms.preference_sum), 0.6543966600735709 + 0.7781388693815918, 1e-12);
    EXPECT_EQ(value(terms.nll_sum), 2);
}

TEST(Dpo, GradientIsLargerWhereAPairIsWrong) {
    // d/dw -log sigmoid(x) = -beta sigmoid(-x): sigmoid(-0.1) = 0.475021, sigmoid(0.2) = 0.549834; for l with the other
    // sign.
    const PairLogprobs pairs = two_pairs(true);
    preference_loss(default_loss_options(LossName::dpo), pairs).preference_sum.backward();
    EXPECT_NEAR(value(pairs.chosen_sum.grad()[0]), -0.0475020812521060, 1e-12);
    EXPECT_NEAR(value(pairs.chosen_sum.grad()[1]), -0.0549833997312478, 1e-12);
    EXPECT_NEAR(value(pairs.rejected_sum.grad()[0]), 0.0475020812521060, 1e-12);
    EXPECT_NEAR(value(pairs.rejected_sum.grad()[1]), 0.0549833997312478, 1e-12);
}

TEST(Dpo, IsTrlsSigmoidLoss) {
    // TRL groups by model: the policy's log ratio less the reference's (DPOTrainer, loss_type "sigmoid").
    const PairLogprobs p = two_pairs();
    LossOptions options = options_of(LossName::dpo, 0.3, 0);
    const at::Tensor logits = (p.chosen_sum - p.rejected_sum) - (p.chosen_reference - p.rejected_reference);
    const at::Tensor expected = at::log(1 + at::exp(-0.3 * logits)).sum();
    EXPECT_NEAR(value(preference_loss(options, p).preference_sum), value(expected), 1e-12);
}

TEST(Dpo, NeedsItsReference) {
    PairLogprobs without = two_pairs();
    without.rejected_reference = at::Tensor();
    EXPECT_THROW(preference_loss(default_loss_options(LossName::dpo), without), std::invalid_argument);
    EXPECT_NO_THROW(preference_loss(default_loss_options(LossName::cpo), without));
    for (const auto& [name, loss] : loss_names()) EXPECT_EQ(needs_reference(loss), name == "dpo") << name;
    const LossOptions options = default_loss_options(LossName::dpo);
    EXPECT_EQ(options.beta, 0.1);
    EXPECT_EQ(options.alpha, 0);
    EXPECT_EQ(options.reference, Reference::start);
}

}  // namespace
}  // namespace craft::test
