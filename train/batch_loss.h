// The loss of one optimiser step's (or one evaluation's) examples, computed in micro-batches that change no result.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "losses/losses.h"
#include "losses/policy.h"
#include "model/decoder/decoder.h"
#include "train/reward_agreement.h"

namespace craft {

// Means over the whole step; what does not apply to the loss is absent.
struct BatchFigures {
    double loss = 0;                 // what was differentiated
    std::optional<double> sft_loss;  // the likelihood part before its weight, in the loss's own normalisation
    std::optional<double> preference_loss;
    std::optional<double> chosen_logp, rejected_logp;  // averages per token
    std::optional<double> margin, accuracy;
    RewardAgreement agreement = {};  // of the pairs with a TokenTree::reward_gap: sums
    // Over the counted tokens of chosen responses (sft: of all): the entropy of what the planner would say there in nats,
    // and how often the token is what it would most likely say.
    std::optional<double> entropy, token_accuracy;
    // Of groups: the responses' mean reward, the groups' mean deviation of rewards, the share of tokens whose ratio is
    // clipped, and the mean divergence from the reference a token, where there is one.
    std::optional<double> reward, reward_std, clipped, kl;
    int64_t tokens = 0;           // computed: a shared prompt and common beginning once
    int64_t sequence_tokens = 0;  // of all sequences: a prompt with each of its responses
};

// Of one branch's counted tokens.
struct BranchLogprob {
    double sum = 0;
    int64_t tokens = 0;
};

// What is known of an example that is a group of responses to one prompt, its branches, beside their tokens.
struct SampledGroup {
    std::vector<double> rewards;  // one a branch, two or more
    // Of all counted tokens, branch after branch, float32 on the CPU (train/token_logprobs.h), for policy_loss(): the
    // sampling planner's, or undefined where it is the one that is trained, as it is; and the reference's.
    at::Tensor old_logprobs, reference_logprobs;
};

struct BatchRun {
    bool backward = true;                            // false: an evaluation, without gradients and dropout
    int64_t micro_batch_tokens = 0;                  // as for micro_batch_budget()
    std::optional<uint64_t> dropout_seed = {};       // keyed by the step; none turns the adapter's dropout off
    std::vector<BranchLogprob>* branches = nullptr;  // receives those of all examples, in their order, if given
    std::function<void()> after_micro_batch = nullptr;
    // Places in `examples` that are computed here, ascending; none: all. Sums over disjoint shares that cover all examples
    // are the whole step's figures and gradients. A share may be empty: it gives zeros, and no optional figure of pairs.
    std::optional<std::vector<size_t>> share = std::nullopt;
    std::function<void()> before_last_backward = nullptr;  // called before the last backward pass of the share
    // Receives, of each example computed here, the log-probabilities of its counted tokens, branch after branch, float32 on
    // the CPU, if given.
    std::vector<at::Tensor>* tokens = nullptr;
    // With a policy the examples are groups, one of these each, and its loss takes the place of sft's.
    const PolicyOptions* policy = nullptr;
    std::vector<const SampledGroup*> groups = {};
    std::vector<ReferenceSums> references = {};  // of all examples, in their order; empty for a loss that needs none
    // Receives, for each of the decoder's trainable() leaves, the gradient of the likelihood part alone (float32, or float64
    // of such leaves), for which a second backward pass is made. Where the loss has no such part there is none.
    std::vector<at::Tensor>* likelihood_gradients = nullptr;
};

// Tokens computed at a time of examples of these sizes: as many as asked for, or for 0 as suit the device (on a CPU this
// many that activations stay in its caches); the largest example where that is larger.
int64_t micro_batch_budget(int64_t asked, const at::Device& device, const std::vector<int64_t>& sizes);

// Examples of sft have a branch for each sequence, of other losses two (chosen, rejected), of a policy one for each
// response, with at least one counted token each. Gradients are added to the decoder's leaves. Throws Error naming an
// example that does not fit the loss; std::invalid_argument where references are not as many as the loss needs.
BatchFigures run_batch(Decoder& decoder, const std::vector<const TokenTree*>& examples, const LossOptions& loss,
                       const BatchRun& run);

}  // namespace craft
