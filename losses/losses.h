// Preference losses on sequence log-probabilities (docs/definitions.md, Losses). One file a loss; this is what they share.
//
// A loss returns sums; averaging over micro-batches, accumulation and ranks happens once, outside (train/).
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace craft {

enum class LossName { sft, simpo, craft, cpo, cpo_simpo, arpo, arpo_simpo };
enum class CpoForm { sigmoid, hinge, ipo };
enum class NllNormalisation { mean, sum };  // `craft` only: mean = global token mean, sum = -logp(w) as printed in Eq. 2

struct LossOptions {
    LossName name = LossName::craft;
    double beta = 2.5;
    double gamma = 1.375;             // subtracted after beta
    double alpha = 1;                 // weight of L_NLL (cpo, cpo_simpo, arpo, arpo_simpo)
    double label_smoothing = 0;       // epsilon in [0, 0.5) of the log-sigmoid losses; 0 turns it off; hinge, ipo have none
    CpoForm form = CpoForm::sigmoid;  // cpo only
    double eta1 = 0.9, eta2 = 0.4;    // arpo, arpo_simpo
    bool detach_tau = false;
    NllNormalisation nll_normalisation = NllNormalisation::mean;
};
// beta, gamma as docs/definitions.md gives them for each loss.
LossOptions default_loss_options(LossName name);
const std::vector<std::pair<std::string, LossName>>& loss_names();  // in the order of docs/definitions.md
std::string loss_name(LossName name);
LossName loss_from_name(const std::string& name);       // throws UsageError that lists the known ones
bool needs_pairs(LossName name);                        // all but sft
bool is_length_normalised(const LossOptions& options);  // whether it compares averages per token, not sums
// One line for each value that no loss can be computed with (beta not above 0, label smoothing outside [0, 0.5), ...).
std::vector<std::string> loss_problems(const LossOptions& options);

// Of n pairs: sums of token log-probabilities and token counts, [n], same floating dtype and device. Counts are > 0
// (empty responses are refused when data is built); a count of 0 throws std::invalid_argument.
struct PairLogprobs {
    at::Tensor chosen_sum, chosen_count;
    at::Tensor rejected_sum, rejected_count;
};

// What one micro-batch contributes to an optimiser step of `pairs` pairs and `chosen_tokens` chosen tokens in all:
// loss = preference_sum / pairs + nll_sum / (chosen_tokens, or pairs for NllNormalisation::sum), nll_sum weighted already.
struct LossTerms {
    at::Tensor preference_sum;  // scalar; sum over the pairs; zero tensor for sft
    at::Tensor nll_sum;         // scalar; weight * sum of -logp over the chosen tokens; zero tensor where it does not apply
    // Detached, summed over the pairs; averages are taken outside. Keys: chosen_logp, rejected_logp (averages per token,
    // summed over pairs), margin (argument of log sigmoid without gamma), accuracy (margin > 0), and where nll_sum applies
    // nll (the same before its weight). None for sft.
    std::map<std::string, double> metrics;
};
// Throws std::invalid_argument: sft, options with loss_problems(), tensors that are not [n] alike, a count below 1.
LossTerms preference_loss(const LossOptions& options, const PairLogprobs& logprobs);
// Of a micro-batch's masked log-probabilities [R], any floating dtype: nll_sum = -their sum, preference_sum zero. The
// optimiser step divides by its unmasked tokens.
LossTerms sft_loss(const at::Tensor& token_logprobs);

// tau = min(1, eta1 * exp(eta2 * |avg(w) - avg(l)|) - 1) (policy simplification; ARPO), [n].
at::Tensor arpo_tau(const at::Tensor& chosen_average, const at::Tensor& rejected_average, double eta1, double eta2,
                    bool detach);

}  // namespace craft
