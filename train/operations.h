// How much arithmetic training needs, and how much a device can do: for MFU.
#pragma once

#include <ATen/core/Tensor.h>

#include "model/kernels/packed_batch.h"
#include "model/spec/decoder_config.h"
#include "model/spec/lora_options.h"

namespace craft {

// Floating-point operations (a multiplication and an addition are two) that one step needs for an example: forward and input
// gradients of the base weights for each token that is computed, their own gradients with `full`, the head on counted tokens
// only, attention by segment; in the first `forward_layers` layers nothing is computed backward. Adapters, norms and what is
// made again in backward do not count.
double training_operations(const DecoderConfig& config, const TokenTree& tree, bool full, int64_t forward_layers);

// Those of its forward pass alone, for log-probabilities.
double forward_operations(const DecoderConfig& config, const TokenTree& tree);

// Those of reading a prompt of so many tokens once and writing so many new ones after it, key-value cache kept: each token
// through all layers, the head on new ones only, attention to all before it. Of a decoder; an encoder-decoder's differ
// little.
double generation_operations(const DecoderConfig& config, double prompt, double new_tokens);

// Layers, of this many, below the first that this adapter is on.
int64_t forward_layers_of(const LoraOptions& adapter, int64_t layers);

// Operations a second of a square matrix product on this device in this dtype with the threads that are set: best of a few.
// Of random numbers: a GPU multiplies ones or zeros faster than what it meets in training.
double product_rate(const at::Device& device, at::ScalarType dtype);

}  // namespace craft
