// What a decoder gives the tokens of examples, kept while another one is trained: the planner that sampled them, a
// reference.
#pragma once

#include <cstdint>
#include <vector>

#include "model/decoder/decoder.h"
#include "train/options.h"
#include "train/parallel/process_group.h"

namespace craft {

// What a training computes before its first update: log-probabilities by the weights that it starts from, for a policy's
// ratios or as the reference, and by the model without an adapter.
struct LogprobsFirst {
    bool old = false, start_reference = false, base_reference = false;
    int64_t passes() const { return (old || start_reference ? 1 : 0) + (base_reference ? 1 : 0); }
};
// Of a training on so many examples. In a policy's only update the planner still is the one that sampled: ratios are 1.
LogprobsFirst logprobs_first(const TrainOptions& options, size_t examples);

// Of each example the log-probabilities of its counted tokens, branch after branch, float32 on the CPU: without dropout and
// gradients, common beginnings once, no logits kept. The ranks share the examples out, and all of them get all. Throws
// Error as run_batch() does, Stopped.
std::vector<at::Tensor> token_logprobs(Decoder& decoder, const std::vector<TokenTree>& examples, int64_t micro_batch_tokens,
                                       ProcessGroup& group = ProcessGroup::alone());

}  // namespace craft
