// Gradients of every loss against float64 central differences, and what the definitions say about kinks and reductions.
#include <gtest/gtest.h>

#include "two_pairs.h"

namespace craft::test {
namespace {

struct Case {
    std::string name;
    LossOptions options;
};

std::vector<Case> cases() {
    std::vector<Case> all;
    for (const auto& [name, loss] : loss_names()) {
        if (!needs_pairs(loss)) continue;
        LossOptions options = default_loss_options(loss);
        options.alpha = 0.7;
        all.push_back({name, options});
        options.label_smoothing = 0.2;
        all.push_back({name + " smoothed", options});
        options.detach_tau = true;
        if (loss == LossName::arpo || loss == LossName::arpo_simpo) all.push_back({name + " detached", options});
    }
    LossOptions cpo = default_loss_options(LossName::cpo);
    cpo.form = CpoForm::hinge;
    all.push_back({"cpo hinge", cpo});
    cpo.form = CpoForm::ipo;
    all.push_back({"cpo ipo", cpo});
    return all;
}

// Gaps of averages: 1, -1, 0.2, 3 and -2.5 (the last two beyond tau's clamp), none at a kink.
std::vector<std::vector<double>> sums() {
    return {{-2, -6, -4, -1, -14}, {-3, -1, -1.4, -8, -2}};
}

PairLogprobs five_pairs(const std::vector<std::vector<double>>& values, bool gradient) {
    return {row(values[0], gradient),     row({4, 3, 4, 1, 4}),      row(values[1], gradient),
            row({2, 1, 1.4 / 1.2, 2, 2}), row({-3, -5, -4, -2, -9}), row({-2, -2, -1, -7, -4})};
}

// tau is a constant for a detached loss: finite differences must not move it.
double total(const LossOptions& options, const PairLogprobs& moved, const PairLogprobs& at_rest) {
    if (!options.detach_tau) {
        const LossTerms terms = preference_loss(options, moved);
        return value(terms.preference_sum) + value(terms.nll_sum);
    }
    const bool averaged = options.name == LossName::arpo_simpo;
    const auto average = [](const at::Tensor& sum, const at::Tensor& count) { return sum / count; };
    const at::Tensor tau = arpo_tau(average(at_rest.chosen_sum, at_rest.chosen_count),
                                    average(at_rest.rejected_sum, at_rest.rejected_count), options.eta1, options.eta2, true);
    const at::Tensor w = averaged ? average(moved.chosen_sum, moved.chosen_count) : moved.chosen_sum;
    const at::Tensor l = averaged ? average(moved.rejected_sum, moved.rejected_count) : moved.rejected_sum;
    const at::Tensor x = options.beta * (w - tau * l) - options.gamma;
    const at::Tensor loss =
        -(1 - options.label_smoothing) * at::log(at::sigmoid(x)) - options.label_smoothing * at::log(at::sigmoid(-x));
    return value(loss.sum()) - options.alpha * value(moved.chosen_sum.sum());
}

TEST(LossGradients, AgreeWithCentralDifferences) {
    // Error of the difference: h^2 f'''/6 + 1e-16 |f| / h, about 1e-10 for h = 1e-5 and |f| of 100.
    const double h = 1e-5;
    for (const Case& each : cases()) {
        const PairLogprobs pairs = five_pairs(sums(), true);
        const LossTerms terms = preference_loss(each.options, pairs);
        (terms.preference_sum + terms.nll_sum).backward();
        const std::vector<at::Tensor> gradients = {pairs.chosen_sum.grad(), pairs.rejected_sum.grad()};
        for (size_t side = 0; side < 2; ++side)
            for (size_t i = 0; i < 5; ++i) {
                auto up = sums(), down = sums();
                up[side][i] += h;
                down[side][i] -= h;
                const PairLogprobs rest = five_pairs(sums(), false);
                const double difference =
                    (total(each.options, five_pairs(up, false), rest) - total(each.options, five_pairs(down, false), rest)) /
                    (2 * h);
                EXPECT_NEAR(value(gradients[side][static_cast<int64_t>(i)]), difference, 1e-8)
                    << each.name << ", " << (side == 0 ? "chosen " : "rejected ") << i;
            }
    }
}

TEST(LossGradients, TauHasNoneAtEqualAveragesNorBeyondItsClamp) {
    // |.| has derivative 0 at 0; beyond the clamp tau is the constant 1, also where exp() would overflow.
    const at::Tensor chosen = row({-1, -5, -1e9}, true), rejected = row({-1, -1, 0}, true);
    arpo_tau(chosen, rejected, 0.9, 0.4, false).sum().backward();
    for (int64_t i = 0; i < 3; ++i) {
        EXPECT_EQ(value(chosen.grad()[i]), 0) << i;
        EXPECT_EQ(value(rejected.grad()[i]), 0) << i;
    }
    // Exactly at the clamp: gap 1 and eta2 1 with eta1 = 2 / e.
    const double eta1 = 2 / value(at::exp(row({1}))[0]);
    ASSERT_EQ(eta1 * value(at::exp(row({1}))[0]) - 1, 1);
    const at::Tensor at_clamp = row({-2}, true);
    arpo_tau(at_clamp, row({-1}), eta1, 1, false).sum().backward();
    EXPECT_EQ(value(at_clamp.grad()[0]), 0);
    // Inside: d/d gap of 0.9 e^(0.4 gap) is 0.36 e^0.4 = 0.537057 at gap 1, with the sign of w - l.
    const at::Tensor inside = row({-0.5, -2}, true);
    arpo_tau(inside, row({-1.5, -1}), 0.9, 0.4, false).sum().backward();
    EXPECT_NEAR(value(inside.grad()[0]), 0.36 * std::exp(0.4), 1e-12);
    EXPECT_NEAR(value(inside.grad()[1]), -0.36 * std::exp(0.4), 1e-12);
}

TEST(LossGradients, DetachedTauChangesGradientsOnly) {
    LossOptions options = default_loss_options(LossName::arpo);
    const PairLogprobs through = two_pairs(true), around = two_pairs(true);
    const at::Tensor first = preference_loss(options, through).preference_sum;
    options.detach_tau = true;
    const at::Tensor second = preference_loss(options, around).preference_sum;
    EXPECT_EQ(value(first), value(second));
    first.backward();
    second.backward();
    EXPECT_GT(std::abs(value(through.chosen_sum.grad()[0]) - value(around.chosen_sum.grad()[0])), 1e-3);
}

TEST(LossGradients, HingeHasNoneAtItsKink) {
    LossOptions options = options_of(LossName::cpo, 1, 0);
    options.form = CpoForm::hinge;
    options.alpha = 0;
    const PairLogprobs kink{row({-1}, true), row({1}), row({-2}, true), row({1})};  // margin 1 exactly
    preference_loss(options, kink).preference_sum.backward();
    EXPECT_EQ(value(kink.chosen_sum.grad()[0]), 0);
}

TEST(LossReductions, CuttingAStepIntoMicroBatchesChangesNothing) {
    for (const Case& each : cases()) {
        const PairLogprobs whole = five_pairs(sums(), false);
        const LossTerms all = preference_loss(each.options, whole);
        double preference = 0, nll = 0;
        PairMetrics metrics;
        for (const auto& [begin, length] : std::vector<std::pair<int64_t, int64_t>>{{0, 2}, {2, 1}, {3, 2}}) {
            const auto cut = [&, begin = begin, length = length](const at::Tensor& t) { return t.narrow(0, begin, length); };
            const LossTerms part = preference_loss(
                each.options, {cut(whole.chosen_sum), cut(whole.chosen_count), cut(whole.rejected_sum),
                               cut(whole.rejected_count), cut(whole.chosen_reference), cut(whole.rejected_reference)});
            preference += value(part.preference_sum);
            nll += value(part.nll_sum);
            metrics.chosen_logp += part.metrics.chosen_logp;
            metrics.rejected_logp += part.metrics.rejected_logp;
            metrics.margin += part.metrics.margin;
            metrics.accuracy += part.metrics.accuracy;
            if (part.metrics.nll) metrics.nll = metrics.nll.value_or(0) + *part.metrics.nll;
        }
        EXPECT_NEAR(preference, value(all.preference_sum), 1e-12) << each.name;
        EXPECT_NEAR(nll, value(all.nll_sum), 1e-12) << each.name;
        EXPECT_NEAR(metrics.chosen_logp, all.metrics.chosen_logp, 1e-12) << each.name;
        EXPECT_NEAR(metrics.rejected_logp, all.metrics.rejected_logp, 1e-12) << each.name;
        EXPECT_NEAR(metrics.margin, all.metrics.margin, 1e-12) << each.name;
        EXPECT_EQ(metrics.accuracy, all.metrics.accuracy) << each.name;
        ASSERT_EQ(metrics.nll.has_value(), all.metrics.nll.has_value()) << each.name;
        EXPECT_NEAR(metrics.nll.value_or(0), all.metrics.nll.value_or(0), 1e-12) << each.name;
    }
}

TEST(LossReductions, CompositionsAgree) {
    const PairLogprobs pairs = five_pairs(sums(), false);
    const LossTerms simpo = preference_loss(default_loss_options(LossName::simpo), pairs);
    const LossTerms craft = preference_loss(default_loss_options(LossName::craft), pairs);
    const LossTerms cpo_simpo = preference_loss(default_loss_options(LossName::cpo_simpo), pairs);
    EXPECT_EQ(value(simpo.preference_sum), value(craft.preference_sum));
    EXPECT_EQ(value(simpo.preference_sum), value(cpo_simpo.preference_sum));
    EXPECT_EQ(value(craft.nll_sum), value(cpo_simpo.nll_sum));  // alpha 1
    // eta1 2, eta2 0: tau is 1 for every pair, and ARPO is CPO, ARPO-SimPO is CPO-SimPO.
    LossOptions arpo = default_loss_options(LossName::arpo);
    arpo.eta1 = 2;
    arpo.eta2 = 0;
    EXPECT_NEAR(value(preference_loss(arpo, pairs).preference_sum),
                value(preference_loss(default_loss_options(LossName::cpo), pairs).preference_sum), 1e-12);
    // A reference that gives all responses the same says nothing: DPO is CPO.
    PairLogprobs unmoved = pairs;
    unmoved.chosen_reference = unmoved.rejected_reference = row({-3, -3, -3, -3, -3});
    EXPECT_NEAR(value(preference_loss(default_loss_options(LossName::dpo), unmoved).preference_sum),
                value(preference_loss(default_loss_options(LossName::cpo), pairs).preference_sum), 1e-12);
    arpo = options_of(LossName::arpo_simpo, 2.5, 1.375);
    arpo.eta1 = 2;
    arpo.eta2 = 0;
    EXPECT_NEAR(value(preference_loss(arpo, pairs).preference_sum), value(simpo.preference_sum), 1e-12);
}

TEST(LossReductions, AgreesWithElementaryOperations) {
    const PairLogprobs p = five_pairs(sums(), false);
    const at::Tensor w = p.chosen_sum / p.chosen_count, l = p.rejected_sum / p.rejected_count;
    const at::Tensor expected = at::log(1 + at::exp(-(2.5 * w - 2.5 * l - 1.375))).sum();
    EXPECT_NEAR(value(preference_loss(default_loss_options(LossName::simpo), p).preference_sum), value(expected), 1e-12);
}

}  // namespace
}  // namespace craft::test
