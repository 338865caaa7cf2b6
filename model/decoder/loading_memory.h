// What a model's weights will take in memory, known before any is read.
#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include "model/decoder/decoder.h"
#include "model/weights/device_memory.h"

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

// The same for whoever will hash or read the model's files, which may take minutes: nothing where they are no decoder's,
// since whoever loads it says what is wrong.
std::optional<LoadingMemory> known_loading_memory(const std::filesystem::path& model, at::ScalarType dtype,
                                                  const at::Device& device, Quantization quantization);

// For expect_memory() and refuse_beyond_memory() of model/weights/device_memory.h.
MemoryNeed memory_need(const LoadingMemory& memory, at::ScalarType dtype, Quantization quantization);

// Both: throws Error if these are a decoder's files and memory does not hold its weights.
void refuse_beyond_memory(const std::filesystem::path& model, at::ScalarType dtype, const at::Device& device,
                          Quantization quantization);

}  // namespace craft
