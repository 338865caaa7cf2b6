// From logits to a token.
#pragma once

#include <cstdint>
#include <vector>

#include "core/rng.h"

namespace craft {

struct Sampling {
    double temperature = 1;  // 0: greedy, the arg-max
    double top_p = 1;        // 1: off; else the fewest most probable tokens whose mass reaches it
    int64_t top_k = 0;       // 0: off; else the k largest logits, and those equal to the smallest of them
};
// Throws Error: a temperature that is negative or so small that 1 / temperature is no float, top_p outside (0, 1], a
// negative top_k.
void check_sampling(const Sampling& sampling);

// The arg-max; of equal ones the first. Throws Error if a logit is NaN or the largest is infinite.
int64_t greedy_token(const float* logits, int64_t vocabulary);

// One draw. Temperature, then top-k, then top-p (of what top-k left), as transformers orders them. One number is taken from
// `rng`, whatever the logits. `scratch` only saves allocations.
int64_t sample_token(const float* logits, int64_t vocabulary, const Sampling& sampling, Rng& rng,
                     std::vector<float>& scratch);

// log softmax(logits)[token].
double token_logprob(const float* logits, int64_t vocabulary, int64_t token, std::vector<float>& scratch);

}  // namespace craft
