// A decoder with weights that mean nothing, made fast: what computing with it costs is what it is for.
#pragma once

#include "model/decoder/decoder.h"

namespace craft {

// The shapes and the form of Decoder::load(): matrices hold the same few normal rows (deviation 0.02) again and again, norms
// multiply by 1, biases are 0. With `quantization`, linear weights are in few bits.
Decoder random_decoder(const DecoderConfig& config, at::ScalarType dtype, const at::Device& device,
                       Quantization quantization = Quantization::none);

}  // namespace craft
