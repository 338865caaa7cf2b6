// A decoder with weights that mean nothing, made fast: what computing with it costs is what it is for.
#pragma once

#include "model/decoder/decoder.h"

namespace craft {

// The shapes and the form of Decoder::load(): matrices hold the same few normal rows (deviation 0.02) again and again, norms
// multiply by 1, biases are 0. With `quantization`, linear weights are in few bits.
Decoder random_decoder(const DecoderConfig& config, at::ScalarType dtype, const at::Device& device,
                       Quantization quantization = Quantization::none);

// Bytes that loading a model folder takes above what the process has before: in the end, and at most.
struct LoadingMemory {
    int64_t kept = 0, peak = 0;
};
// Reads the headers of the weight files; without such files it goes by the dtype that config.json names. Throws Error on
// files that are damaged.
LoadingMemory loading_memory(const std::filesystem::path& folder, const DecoderConfig& config, at::ScalarType dtype,
                             const at::Device& device, Quantization quantization = Quantization::none);

}  // namespace craft
