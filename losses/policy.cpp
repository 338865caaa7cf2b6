#include "losses/policy.h"

#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>

#include <cmath>
#include <numeric>
#include <stdexcept>

namespace craft {

namespace {

double mean_reward(const std::vector<double>& rewards) {
    if (rewards.size() < 2) throw std::invalid_argument("rewards of a group: expected at least two");
    return std::accumulate(rewards.begin(), rewards.end(), 0.0) / static_cast<double>(rewards.size());
}

void check_tokens(const PolicyOptions& options, const PolicyTokens& tokens) {
    const at::Tensor& logprobs = tokens.logprobs;
    if (!logprobs.defined() || logprobs.dim() != 1 || logprobs.size(0) == 0)
        throw std::invalid_argument("policy loss: expected log-probabilities [R] of at least one token");
    if (options.beta > 0 && !tokens.reference_logprobs.defined())
        throw std::invalid_argument("policy loss: beta above 0 needs the reference's log-probabilities");
    for (const at::Tensor* each : {&tokens.advantages, &tokens.weights})
        if (!each->defined()) throw std::invalid_argument("policy loss: advantages and weights are needed");
    for (const at::Tensor* each : {&tokens.old_logprobs, &tokens.reference_logprobs, &tokens.advantages, &tokens.weights})
        if (each->defined() && each->sizes() != logprobs.sizes())
            throw std::invalid_argument("policy loss: expected one number for each token");
}

}  // namespace

double reward_deviation(const std::vector<double>& rewards) {
    const double mean = mean_reward(rewards);
    double squares = 0;
    for (const double reward : rewards) squares += (reward - mean) * (reward - mean);
    return std::sqrt(squares / static_cast<double>(rewards.size() - 1));
}

std::vector<double> advantages_of(const std::vector<double>& rewards, Advantage form) {
    constexpr double kDeviationFloor = 1e-4;
    const double mean = mean_reward(rewards), n = static_cast<double>(rewards.size());
    // The mean of the others is (n mean - r) / (n - 1), so that r less it is n / (n - 1) times r - mean.
    const double scale = form == Advantage::grpo   ? 1 / (reward_deviation(rewards) + kDeviationFloor)
                         : form == Advantage::rloo ? n / (n - 1)
                                                   : 1;
    std::vector<double> advantages;
    for (const double reward : rewards) advantages.push_back(scale * (reward - mean));
    return advantages;
}

PolicyTerms policy_loss(const PolicyOptions& options, const PolicyTokens& tokens) {
    check_tokens(options, tokens);
    const double low = 1 - options.epsilon_low, high = 1 + options.epsilon_high;
    const at::Tensor& old = tokens.old_logprobs.defined() ? tokens.old_logprobs : tokens.logprobs.detach();
    const at::Tensor ratios = at::exp(tokens.logprobs - old), &advantages = tokens.advantages;
    at::Tensor losses = -at::minimum(ratios * advantages, at::clamp(ratios, low, high) * advantages);
    PolicyTerms terms;
    if (options.beta > 0) {
        const at::Tensor apart = tokens.reference_logprobs - tokens.logprobs;
        const at::Tensor divergence = at::exp(apart) - apart - 1;
        losses = losses + options.beta * divergence;
        terms.kl = divergence.detach().sum().item<double>();
    }
    terms.loss = (losses * tokens.weights).sum();
    const at::NoGradGuard no_grad;
    const at::Tensor clipped = at::logical_or(at::logical_and(ratios.lt(low), advantages.lt(0)),
                                              at::logical_and(ratios.gt(high), advantages.gt(0)));
    terms.clipped = clipped.sum().item<double>();
    return terms;
}

}  // namespace craft
