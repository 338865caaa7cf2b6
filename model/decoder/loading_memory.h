// What a model's weights will take in memory, known before any is read.
#pragma once

#include <filesystem>
#include <vector>

#include "model/decoder/decoder.h"

namespace craft {

class WeightFiles;
struct WeightSlot;

// Bytes that loading a model takes above what the process has before: in the end, and at most. Weights that are used where
// the mapped file has them count here, but the system can take their pages back: `copied` leaves them out.
struct LoadingMemory {
    int64_t kept = 0, peak = 0, copied = 0;
};

// Reads the headers of the weight files; without such files it goes by the dtype that config.json names. Throws Error on
// files that are damaged.
LoadingMemory loading_memory(const std::filesystem::path& folder, const DecoderConfig& config, at::ScalarType dtype,
                             const at::Device& device, Quantization quantization = Quantization::none);

// The same for files that are open, or null, and the slots of a decoder of this config.
LoadingMemory loading_memory(const WeightFiles* files, const std::vector<WeightSlot>& slots, const DecoderConfig& config,
                             at::ScalarType dtype, const at::Device& device, Quantization quantization);

// Throws Error if `copied` is more than the machine has, on a GPU more than is free there. Warns if it is more than is free.
void expect_memory(const std::filesystem::path& folder, int64_t copied, at::ScalarType dtype, const at::Device& device,
                   Quantization quantization);

}  // namespace craft
