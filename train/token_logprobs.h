// What a decoder gives the tokens of examples, kept while another one is trained: the planner that sampled them, a
// reference.
#pragma once

#include <cstdint>
#include <vector>

#include "model/decoder/decoder.h"
#include "train/parallel/process_group.h"

namespace craft {

// Of each example the log-probabilities of its counted tokens, branch after branch, float32 on the CPU: without dropout and
// gradients, common beginnings once, no logits kept. The ranks share the examples out, and all of them get all. Throws
// Error as run_batch() does, Stopped.
std::vector<at::Tensor> token_logprobs(Decoder& decoder, const std::vector<TokenTree>& examples, int64_t micro_batch_tokens,
                                       ProcessGroup& group = ProcessGroup::alone());

}  // namespace craft
