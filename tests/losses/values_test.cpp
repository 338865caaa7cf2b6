// Each loss on two pairs, against arithmetic done by hand. softplus(-x) = ln(1 + e^-x) = -log sigmoid(x).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <optional>
#include <type_traits>

#include "two_pairs.h"

namespace craft::test {
namespace {

TEST(Losses, SimpoOfTwoPairs) {
    // beta 2, gamma 0.5: x = 2 * 1 - 0.5 = 1.5 and 2 * -1 - 0.5 = -2.5; ln(1 + e^-1.5) = 0.201413, ln(1 + e^2.5) = 2.578890
    const LossTerms terms = preference_loss(options_of(LossName::simpo, 2, 0.5), two_pairs());
    EXPECT_NEAR(value(terms.preference_sum), 0.2014132779827524 + 2.5788897342925496, 1e-12);
    EXPECT_EQ(value(terms.nll_sum), 0);
    EXPECT_EQ(terms.metrics.nll, std::nullopt);
}

TEST(Losses, LabelSmoothingMixesBothDirections) {
    // epsilon 0.1 on the same x; since -log sigmoid(-x) = x - log sigmoid(x):
    // 0.201413 + 0.1 * 1.5 = 0.351413 and 2.578890 - 0.1 * 2.5 = 2.328890
    LossOptions options = options_of(LossName::simpo, 2, 0.5);
    options.label_smoothing = 0.1;
    EXPECT_NEAR(value(preference_loss(options, two_pairs()).preference_sum), 0.35141327798275246 + 2.3288897342925496,
                1e-12);
}

TEST(Losses, CraftAddsTheUnweightedLikelihoodOfTheChosen) {
    LossOptions options = options_of(LossName::craft, 2, 0.5);
    options.alpha = 7;  // not one of its parameters
    const LossTerms terms = preference_loss(options, two_pairs());
    EXPECT_NEAR(value(terms.preference_sum), 2.780303012275302, 1e-12);
    EXPECT_EQ(value(terms.nll_sum), 8);  // -(-2 - 6)
    EXPECT_EQ(terms.metrics.nll, 8);
}

TEST(Losses, CpoSigmoid) {
    // beta 0.1: 0.1 * (-2 + 3) = 0.1 and 0.1 * (-6 + 1) = -0.5; ln(1 + e^-0.1) = 0.644397, ln(1 + e^0.5) = 0.974077
    LossOptions options = options_of(LossName::cpo, 0.1, 0);
    options.alpha = 0.25;
    const LossTerms terms = preference_loss(options, two_pairs());
    EXPECT_NEAR(value(terms.preference_sum), 0.6443966600735709 + 0.9740769841801067, 1e-12);
    EXPECT_EQ(value(terms.nll_sum), 2);  // 0.25 * 8
    EXPECT_EQ(terms.metrics.nll, 8);
}

TEST(Losses, CpoHingeAndIpo) {
    LossOptions options = options_of(LossName::cpo, 0.1, 0);
    options.form = CpoForm::hinge;  // 1 - 0.1 and 1 + 0.5
    EXPECT_NEAR(value(preference_loss(options, two_pairs()).preference_sum), 2.4, 1e-12);
    options.beta = 2;  // margins 2 and -10: the first is beyond 1 and costs nothing
    EXPECT_NEAR(value(preference_loss(options, two_pairs()).preference_sum), 11, 1e-12);
    options.form = CpoForm::ipo;
    options.beta = 0.1;  // (1 - 5)^2 and (-1 - 5)^2 with 1 / (2 * 0.1) = 5
    EXPECT_NEAR(value(preference_loss(options, two_pairs()).preference_sum), 52, 1e-10);
}

TEST(Losses, CpoSimpo) {
    LossOptions options = options_of(LossName::cpo_simpo, 2, 0.5);
    options.alpha = 0.5;
    const LossTerms terms = preference_loss(options, two_pairs());
    EXPECT_NEAR(value(terms.preference_sum), 2.780303012275302, 1e-12);
    EXPECT_EQ(value(terms.nll_sum), 4);
}

TEST(Losses, TauGrowsWithTheGapUpToOne) {
    // 0.9 e^(0.4 * gap) - 1: gap 0 -> -0.1; gap 1 -> 0.9 * 1.491825 - 1 = 0.342642; it reaches 1 at ln(2 / 0.9) / 0.4
    // = 1.99627
    const at::Tensor tau = arpo_tau(row({-1, -0.5, -1, -3, -1e4}), row({-1, -1.5, -2.99626, -1, 0}), 0.9, 0.4, false);
    EXPECT_NEAR(value(tau[0]), -0.1, 1e-12);
    EXPECT_NEAR(value(tau[1]), 0.34264222787714327, 1e-12);
    EXPECT_LT(value(tau[2]), 1);
    EXPECT_NEAR(value(tau[2]), 1, 1e-5);
    EXPECT_EQ(value(tau[3]), 1);
    EXPECT_EQ(value(tau[4]), 1);
}

TEST(Losses, ArpoWeakensTheRejectedSide) {
    // tau 0.342642 for both gaps of 1: 0.1 * (-2 + 3 tau) = -0.097207 and 0.1 * (-6 + tau) = -0.565736
    const LossTerms terms = preference_loss(options_of(LossName::arpo, 0.1, 0), two_pairs());
    EXPECT_NEAR(value(terms.preference_sum), 0.7429315397917435 + 1.0154997814446947, 1e-12);
    EXPECT_NEAR(terms.metrics.margin, -0.09720733163685702 - 0.5657357772122856, 1e-12);
    EXPECT_EQ(value(terms.nll_sum), 8);
}

TEST(Losses, ArpoSimpo) {
    // 0.1 * (-0.5 + 1.5 tau) = 0.001396 and 0.1 * (-2 + tau) = -0.165736, each less 1.5 inside the log sigmoid
    const LossTerms terms = preference_loss(options_of(LossName::arpo_simpo, 0.1, 1.5), two_pairs());
    EXPECT_NEAR(value(terms.preference_sum), 1.700271816237733 + 1.8388917135835028, 1e-12);
    EXPECT_NEAR(terms.metrics.margin, 0.0013963341815714904 - 0.1657357772122857, 1e-12);
    EXPECT_EQ(terms.metrics.accuracy, 1);
}

TEST(Losses, MetricsAreSumsAndMarginsLeaveGammaOut) {
    const LossTerms terms = preference_loss(options_of(LossName::simpo, 2, 100), two_pairs());
    EXPECT_EQ(terms.metrics.chosen_logp, -2.5);    // -0.5 - 2
    EXPECT_EQ(terms.metrics.rejected_logp, -2.5);  // -1.5 - 1
    EXPECT_EQ(terms.metrics.margin, 0);            // 2 - 2
    EXPECT_EQ(terms.metrics.accuracy, 1);          // gamma does not make the first pair wrong
}

TEST(Losses, SftIsMinusTheSum) {
    const LossTerms terms = sft_loss(row({-0.5, -1, -2.25}));
    EXPECT_EQ(value(terms.nll_sum), 3.75);
    EXPECT_EQ(value(terms.preference_sum), 0);
    EXPECT_EQ(terms.metrics.nll, std::nullopt);
}

TEST(Losses, LogSigmoidStaysFiniteFarOut) {
    for (const auto dtype : {at::kDouble, at::kFloat}) {
        // averages -1e4 and 0 with beta 1: x = -1e4 and +1e4, where log(sigmoid(x)) would be log(0)
        PairLogprobs far{torch::tensor({-1e4, 0.0}, dtype).requires_grad_(true), torch::tensor({1.0, 1.0}, dtype),
                         torch::tensor({0.0, -1e4}, dtype).requires_grad_(true), torch::tensor({1.0, 1.0}, dtype)};
        const LossTerms terms = preference_loss(options_of(LossName::simpo, 1, 0), far);
        EXPECT_EQ(value(terms.preference_sum), 1e4);
        terms.preference_sum.backward();
        EXPECT_EQ(value(far.chosen_sum.grad()[0]), -1);
        EXPECT_EQ(value(far.chosen_sum.grad()[1]), 0);
    }
}

TEST(Losses, DefaultsAreThePapers) {
    struct Row {
        LossName name;
        double beta, gamma;
    };
    for (const Row& each :
         {Row{LossName::simpo, 2.5, 1.375}, Row{LossName::craft, 2.5, 1.375}, Row{LossName::cpo_simpo, 2.5, 1.375},
          Row{LossName::cpo, 0.1, 0}, Row{LossName::arpo, 0.1, 0}, Row{LossName::arpo_simpo, 0.1, 1.5}}) {
        const LossOptions options = default_loss_options(each.name);
        EXPECT_EQ(options.beta, each.beta) << loss_name(each.name);
        EXPECT_EQ(options.gamma, each.gamma) << loss_name(each.name);
        EXPECT_EQ(options.alpha, 1);
        EXPECT_EQ(options.label_smoothing, 0);
        EXPECT_EQ(options.eta1, 0.9);
        EXPECT_EQ(options.eta2, 0.4);
        EXPECT_FALSE(options.detach_tau);
        EXPECT_EQ(options.nll_normalisation, NllNormalisation::mean);
    }
}

TEST(Losses, OfTwoPartsAreThoseWithALikelihoodThatCounts) {
    for (const auto& [name, loss] : loss_names()) {
        LossOptions options = default_loss_options(loss);
        const bool never = loss == LossName::sft || loss == LossName::simpo;
        EXPECT_EQ(has_likelihood_part(options), !never && loss != LossName::dpo) << name;
        options.alpha = 0;  // craft has none: its likelihood always counts 1
        EXPECT_EQ(has_likelihood_part(options), loss == LossName::craft) << name;
        options.alpha = 0.5;
        EXPECT_EQ(has_likelihood_part(options), !never) << name;
    }
}

TEST(Losses, NamesGoBothWays) {
    EXPECT_THAT(loss_names(), testing::Contains(std::pair("arpo_simpo", LossName::arpo_simpo)));
    for (const auto& [name, loss] : loss_names()) {
        EXPECT_EQ(loss_name(loss), name);
        EXPECT_EQ(needs_pairs(loss), name != "sft");
    }
}

// A coefficient of this value, or of this other one where it is a choice or a switch.
void set_coefficient(LossOptions& options, const std::string& coefficient, double number) {
    for_each_coefficient(options, [&](const std::string& name, auto& value, const char*) {
        using Value = std::decay_t<decltype(value)>;
        if (name != coefficient) return;
        if constexpr (std::is_same_v<Value, double>)
            value = number;
        else
            value = static_cast<Value>(1);
    });
}

// By what the losses compute: without a coefficient that is not its own a loss is the same. The sum of likelihoods is what
// train/ divides by pairs instead of tokens, detach_tau moves gradients alone, and whose sums a reference's are is for
// train/ to say, too.
TEST(Losses, TakeTheCoefficientsThatTheRegistrySays) {
    for (const auto& [name, loss] : loss_names()) {
        if (!needs_pairs(loss)) continue;
        const LossOptions plain = default_loss_options(loss);
        const LossTerms before = preference_loss(plain, two_pairs());
        for_each_coefficient(plain, [&, name = name](const std::string& coefficient, const auto&, const char*) {
            if (coefficient == "nll_normalisation" || coefficient == "detach_tau" || coefficient == "reference") return;
            LossOptions moved = plain;
            set_coefficient(moved, coefficient, 0.25);
            const LossTerms after = preference_loss(moved, two_pairs());
            const bool differs =
                value(before.preference_sum) != value(after.preference_sum) || value(before.nll_sum) != value(after.nll_sum);
            EXPECT_EQ(takes_coefficient(plain, coefficient), differs) << name << " " << coefficient;
        });
    }
    LossOptions ipo = default_loss_options(LossName::cpo);
    EXPECT_FALSE(is_length_normalised(ipo));
    ipo.form = CpoForm::ipo;
    EXPECT_TRUE(is_length_normalised(ipo));
    EXPECT_FALSE(takes_coefficient(ipo, "label_smoothing"));
    LossOptions formless = default_loss_options(LossName::arpo);
    formless.form = CpoForm::ipo;
    EXPECT_FALSE(is_length_normalised(formless));
    EXPECT_TRUE(takes_coefficient(formless, "label_smoothing"));
    EXPECT_FALSE(takes_coefficient(default_loss_options(LossName::sft), "beta"));
}

// Averages per token stay the same when both sides of a pair are twice as long at twice the sum; sums do not.
TEST(Losses, AreLengthNormalisedAsTheRegistrySays) {
    for (const auto& [name, loss] : loss_names()) {
        if (!needs_pairs(loss)) continue;
        const LossOptions options = default_loss_options(loss);
        PairLogprobs twice = two_pairs();
        for (at::Tensor* each : {&twice.chosen_sum, &twice.chosen_count, &twice.rejected_sum, &twice.rejected_count})
            *each = 2 * *each;
        const bool same = value(preference_loss(options, two_pairs()).preference_sum) ==
                          value(preference_loss(options, twice).preference_sum);
        EXPECT_EQ(is_length_normalised(options), same) << name;
    }
}

TEST(Losses, RefusesWhatHasNoValue) {
    const LossOptions simpo = default_loss_options(LossName::simpo);
    PairLogprobs empty_response = two_pairs();
    empty_response.rejected_count = row({2, 0});
    EXPECT_THROW(preference_loss(simpo, empty_response), std::invalid_argument);
    PairLogprobs misshaped = two_pairs();
    misshaped.chosen_count = row({4});
    EXPECT_THROW(preference_loss(simpo, misshaped), std::invalid_argument);
    EXPECT_THROW(preference_loss(simpo, {row({}), row({}), row({}), row({})}), std::invalid_argument);
    EXPECT_THROW(preference_loss(default_loss_options(LossName::sft), two_pairs()), std::invalid_argument);
    EXPECT_THROW(sft_loss(row({})), std::invalid_argument);
    for (const double beta : {0.0, -1.0, std::nan("")})
        EXPECT_THROW(preference_loss(options_of(LossName::simpo, beta, 0), two_pairs()), std::invalid_argument);
    LossOptions smoothed = simpo;
    smoothed.label_smoothing = 0.5;
    EXPECT_EQ(loss_problems(smoothed).size(), 1U);
    smoothed.beta = 0;
    smoothed.eta1 = INFINITY;
    EXPECT_EQ(loss_problems(smoothed).size(), 3U);
    EXPECT_EQ(loss_problems(smoothed).front().line(), "beta: expected a number above 0, got 0");
}

}  // namespace
}  // namespace craft::test
