// Preference losses on sequence log-probabilities (docs/losses.md). One file a loss; this is what they share.
//
// A loss returns sums; averaging over micro-batches, accumulation and ranks happens once, outside (train/).
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/error.h"

namespace craft {

enum class LossName { sft, simpo, craft, cpo, cpo_simpo, arpo, arpo_simpo, dpo };
enum class CpoForm { sigmoid, hinge, ipo };
enum class NllNormalisation { mean, sum };  // `craft` only: mean = global token mean, sum = -logp(w) as printed in Eq. 2
// Of `dpo`, and of policies (losses/policy.h): whose log-probabilities are the reference, those of the weights that the
// training starts from, or of the model without an adapter.
enum class Reference { start, base };

struct LossOptions {
    LossName name = LossName::craft;
    double beta = 2.5;
    double gamma = 1.375;        // subtracted after beta
    double alpha = 1;            // weight of L_NLL
    double label_smoothing = 0;  // epsilon in [0, 0.5) of the log-sigmoid losses; 0 turns it off
    CpoForm form = CpoForm::sigmoid;
    double eta1 = 0.9, eta2 = 0.4;
    bool detach_tau = false;
    NllNormalisation nll_normalisation = NllNormalisation::mean;
    Reference reference = Reference::start;
};
// Calls f(name, coefficient, help) for each coefficient, in this order. Whatever binds, reads, writes or compares
// coefficients goes through here, so that a new one is a field and a line; which losses take it says the registry
// (losses.cpp). `Options` is LossOptions or const LossOptions.
template <class Options, class F>
void for_each_coefficient(Options& o, F&& f) {
    f("beta", o.beta, "strength of the preference; none: the loss's own, 2.5 or 0.1");
    f("gamma", o.gamma, "target margin, subtracted after beta; none: the loss's own");
    f("alpha", o.alpha, "weight of the chosen responses' likelihood; none: the loss's own, 1 or 0");
    f("label_smoothing", o.label_smoothing, "share of labels taken as wrong, below 0.5; 0: none");
    f("form", o.form, "form of cpo");
    f("eta1", o.eta1, "factor in the tau of arpo and arpo_simpo");
    f("eta2", o.eta2, "exponent in the tau of arpo and arpo_simpo");
    f("detach_tau", o.detach_tau, "no gradient through tau");
    f("nll_normalisation", o.nll_normalisation, "likelihood part of craft: mean over tokens, or sum over each response");
    f("reference", o.reference,
      "whose log-probabilities dpo and grpo.beta compare with: the weights as the training starts, or the base without an "
      "adapter");
}

// beta, gamma, alpha as docs/losses.md gives them for each loss.
LossOptions default_loss_options(LossName name);
const std::vector<std::pair<std::string, LossName>>& loss_names();  // in the order of docs/losses.md
std::string loss_name(LossName name);
bool needs_pairs(LossName name);                       // all but sft
bool needs_reference(LossName name);                   // dpo: what PairLogprobs has by the reference
bool has_likelihood_part(const LossOptions& options);  // whether a loss of pairs adds the likelihood of the chosen responses
bool is_length_normalised(const LossOptions& options);  // whether it compares averages per token, not sums
// Whether the loss, in the form that the options say, depends on this coefficient (a name of for_each_coefficient).
bool takes_coefficient(const LossOptions& options, const std::string& coefficient);
// Each coefficient that no loss can be computed with (beta not above 0, label smoothing outside [0, 0.5), ...).
std::vector<FieldProblem> loss_problems(const LossOptions& options);

// Of n pairs: sums of token log-probabilities and token counts, [n], same floating dtype and device. Counts are > 0
// (empty responses are refused when data is built); a count of 0 throws std::invalid_argument.
struct PairLogprobs {
    at::Tensor chosen_sum, chosen_count;
    at::Tensor rejected_sum, rejected_count;
    // The sums by the reference, constants; undefined where the loss needs none.
    at::Tensor chosen_reference = {}, rejected_reference = {};
};

// Of one pair: the sums of its responses' log-probabilities by the reference.
struct ReferenceSums {
    double chosen = 0, rejected = 0;
};

// Of a micro-batch's pairs, detached, summed over the pairs; averages are taken outside.
struct PairMetrics {
    double chosen_logp = 0, rejected_logp = 0;  // averages per token
    double margin = 0;                          // argument of log sigmoid without gamma
    double accuracy = 0;                        // pairs whose margin is above 0
    std::optional<double> nll = {};             // nll_sum before its weight; absent where the loss has no such part
};

// What one micro-batch contributes to an optimiser step of `pairs` pairs and `chosen_tokens` chosen tokens in all:
// loss = preference_sum / pairs + nll_sum / (chosen_tokens, or pairs for NllNormalisation::sum), nll_sum weighted already.
struct LossTerms {
    at::Tensor preference_sum;  // scalar; sum over the pairs; zero tensor for sft
    at::Tensor nll_sum;         // scalar; weight * sum of -logp over the chosen tokens; zero tensor where it does not apply
    PairMetrics metrics = {};   // all zero for sft
    at::Tensor margins = {};    // [n], detached: PairMetrics::margin of each pair; undefined for sft
};
// Throws std::invalid_argument: sft, options with loss_problems(), tensors that are not [n] alike, a count below 1, no
// reference for a loss that needs one.
LossTerms preference_loss(const LossOptions& options, const PairLogprobs& logprobs);
// Of a micro-batch's masked log-probabilities [R], any floating dtype: nll_sum = -their sum, preference_sum zero. The
// optimiser step divides by its unmasked tokens.
LossTerms sft_loss(const at::Tensor& token_logprobs);

// tau = min(1, eta1 * exp(eta2 * |avg(w) - avg(l)|) - 1) (policy simplification; ARPO), [n].
at::Tensor arpo_tau(const at::Tensor& chosen_average, const at::Tensor& rejected_average, double eta1, double eta2,
                    bool detach);

}  // namespace craft
