// Rotary positions: how far each pair of a head's dimensions turns at each position.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>

#include "model/kernels/packed_batch.h"
#include "model/spec/decoder_config.h"

namespace craft {

// cos and sin of position * frequency, computed in float32 as transformers does.
struct RotaryTable {
    at::Tensor cos, sin;  // [tokens, turning dimensions / 2] float32 (float64 in a float64 model)
};

// theta^(-2i / dims): [dims / 2] float32 on the CPU.
at::Tensor plain_frequencies(int64_t dims, double theta);
// Those of a sequence of `length` tokens in all; [0] without rotary positions.
at::Tensor rotary_frequencies(const DecoderConfig& config, int64_t length);
// Sequences of equal numbers have equal frequencies. A constant but for the kinds `dynamic` and `longrope`.
int64_t rotary_regime(const DecoderConfig& config, int64_t length);

// positions [tokens] int64; `factor` multiplies cos and sin.
RotaryTable rotary_table(const at::Tensor& positions, const at::Tensor& frequencies, double factor, at::ScalarType dtype);
// Of a packed batch, each tree with the frequencies of its whole length. Throws Error if branches of one tree need different
// ones: separate_branches() cuts such trees up.
RotaryTable rotary_table(const DecoderConfig& config, const PackedBatch& batch, at::ScalarType dtype);

// The batch itself, or, where branches of a tree differ in their regime, one in which each of them has its own prefix.
PackedBatch separate_branches(const DecoderConfig& config, const PackedBatch& batch);

}  // namespace craft
