// Policy gradients on groups of responses that were sampled for one prompt, each with a reward (docs/losses.md,
// Groups): GRPO (DeepSeekMath, Shao et al. 2024), RLOO (Ahmadian et al. 2024), Dr. GRPO (Liu et al. 2025), clipped as in
// PPO.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <tuple>
#include <vector>

namespace craft {

// What a response's reward is compared with. grpo: the group's mean, in its standard deviations; rloo: the mean of the
// others; dr_grpo: the group's mean.
enum class Advantage { grpo, rloo, dr_grpo };
// What a step's token losses are divided by, under TRL's names. dapo: the tokens of the step; grpo: the tokens of their
// response, then the responses; dr_grpo: the responses times the longest that a response may be.
enum class TokenMean { dapo, grpo, dr_grpo };

struct PolicyOptions {
    Advantage advantage = Advantage::grpo;
    TokenMean mean = TokenMean::dapo;
    double beta = 0;                               // weight of the divergence from the reference; 0: none, and no reference
    double epsilon_low = 0.2, epsilon_high = 0.2;  // ratios are clipped to [1 - epsilon_low, 1 + epsilon_high]
    int64_t max_length = 0;                        // tokens, of dr_grpo's mean
    bool operator==(const PolicyOptions&) const = default;
};
inline auto policy_fields(const PolicyOptions& o) {
    return std::tie(o.advantage, o.mean, o.beta, o.epsilon_low, o.epsilon_high, o.max_length);
}

// Of the sample: the squares are divided by n - 1, as TRL does. Throws std::invalid_argument on fewer than two rewards.
double reward_deviation(const std::vector<double>& rewards);
// One a reward. grpo: (r - mean) / (deviation + 1e-4). Throws std::invalid_argument on fewer than two rewards.
std::vector<double> advantages_of(const std::vector<double>& rewards, Advantage form);

// Of R response tokens, each [R] on one device; all but `logprobs` without gradients.
struct PolicyTokens {
    at::Tensor logprobs;      // differentiable, any floating type
    at::Tensor old_logprobs;  // by the planner that the responses are of; undefined: this step's own, so that ratios are 1
    at::Tensor reference_logprobs;  // needed where beta is above 0
    at::Tensor advantages;          // of the response that the token belongs to
    at::Tensor weights;             // what a token's loss counts in the step's
};
struct PolicyTerms {
    at::Tensor loss;     // scalar: the weighted sum
    double clipped = 0;  // tokens whose ratio no longer moves: clipped, and the gradient with it
    double kl = 0;       // sum over the tokens of exp(d) - d - 1 with d = reference - logp; 0 without a reference
};
// With rho = exp(logp - old) a token's loss is -min(rho A, clip(rho) A) + beta (exp(d) - d - 1). Throws
// std::invalid_argument on tensors that are not [R] alike, no tokens, or a beta above 0 without a reference.
PolicyTerms policy_loss(const PolicyOptions& options, const PolicyTokens& tokens);

}  // namespace craft
