// From logits to tokens where the logits are: rows of a whole vocabulary need not leave a GPU.
#pragma once

#include <ATen/core/Tensor.h>

#include <vector>

#include "model/generate/sampler.h"

namespace craft {

struct Choice {
    int64_t token = 0;
    double logprob = 0;  // log softmax(logits)[token], where it was asked for
};

// For each row of logits [rows, vocab] float32, on any device, what greedy_token() or, with a temperature, sample_token()
// with the random number draws[row] chooses; device and CPU differ by rounding alone. Throws Error as they do. With filters
// besides temperature, top-k and top-p the rows are copied to the CPU and chosen from there.
std::vector<Choice> choose_tokens(const at::Tensor& logits, const Sampling& sampling, const std::vector<double>& draws,
                                  bool logprobs);

}  // namespace craft
