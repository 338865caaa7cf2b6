// From logits to a token.
#pragma once

#include <cstdint>
#include <vector>

#include "core/rng.h"

namespace craft {

struct Sampling {
    double temperature = 1;     // 0: greedy, the arg-max
    double top_p = 1;           // 1: off; else the fewest most probable tokens whose mass reaches it
    int64_t top_k = 0;          // 0: off; else the k largest logits, and those equal to the smallest of them
    double min_p = 0;           // 0: off; else tokens of at least this share of the most probable one's probability
    double typical_p = 1;       // 1: off; else tokens nearest the entropy in surprise, until their mass reaches it
    double epsilon_cutoff = 0;  // 0: off; else tokens of at least this probability, and the most probable one
    double eta_cutoff = 0;      // 0: off; else the same with min(eta, sqrt(eta) * exp(-entropy)) for the bound
    double top_h = 0;  // 0: off; else the fewest of the 100 most probable tokens, while their entropy is within this share

    // Whether any of those after top_k is on.
    bool has_further_filters() const;
};
// Throws Error: a temperature that is negative or so small that 1 / temperature is no float, top_p or typical_p outside (0,
// 1], a negative top_k, min_p or top_h outside [0, 1], epsilon_cutoff or eta_cutoff outside [0, 1).
void check_sampling(const Sampling& sampling);

// The arg-max; of equal ones the first. Throws Error if a logit is NaN or the largest is infinite.
int64_t greedy_token(const float* logits, int64_t vocabulary);

// One draw, with `draw` in [0, 1). Temperature, top-h, top-k, top-p, min-p, typical-p, epsilon, eta, each of what the ones
// before left, as transformers orders them. `scratch` only saves allocations.
int64_t sample_token(const float* logits, int64_t vocabulary, const Sampling& sampling, double draw,
                     std::vector<float>& scratch);
// The same with one number taken from `rng`, whatever the logits.
int64_t sample_token(const float* logits, int64_t vocabulary, const Sampling& sampling, Rng& rng,
                     std::vector<float>& scratch);

// log softmax(logits)[token].
double token_logprob(const float* logits, int64_t vocabulary, int64_t token, std::vector<float>& scratch);

// What these and device_sampler.h share.

// A token and what its probability is a multiple of.
struct TokenCandidate {
    int64_t token = 0;
    float weight = 0;
};
// One draw, with `draw` in [0, 1), from the fewest candidates whose weights reach `mass`: candidates are taken by falling
// weight, ties by id, as long as the weights before them sum to less. Returns the one, by rising id, at which the running
// sum of those taken passes the share `draw` of their sum.
int64_t draw_candidate(std::vector<TokenCandidate> candidates, double mass, double draw);

// The index at which the running sum of `weights` passes `left`, which becomes what was left before it; at least one weight
// is above 0. If rounding leaves a rest it is the last such, with nothing of it left out.
template <class Weights>
size_t index_passing(const Weights& weights, double& left) {
    size_t last = 0;
    for (size_t i = 0; i < weights.size(); ++i) {
        if (weights[i] <= 0) continue;
        last = i;
        if (left < weights[i]) return i;
        left -= weights[i];
    }
    left = weights[last];
    return last;
}

// What sample_token() draws from, by rising id: the weights' shares of their sum are the probabilities.
std::vector<TokenCandidate> sampling_candidates(const float* logits, int64_t vocabulary, const Sampling& sampling,
                                                std::vector<float>& scratch);

[[noreturn]] void throw_not_finite(double logit);

}  // namespace craft
