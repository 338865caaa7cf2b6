#include "model/decoder/loading_memory.h"

#include <torch/types.h>

#include <algorithm>
#include <optional>

#include "core/error.h"
#include "core/model_files.h"
#include "model/decoder/decoder_files.h"
#include "model/kernels/quantizer.h"
#include "model/weights/quantized_files.h"
#include "model/weights/weight_files.h"

namespace craft {

namespace fs = std::filesystem;

namespace {

int64_t element_count(const std::vector<int64_t>& shape) {
    int64_t elements = 1;
    for (const int64_t size : shape) elements *= size;
    return elements;
}

// As quantize() makes it, NF4 with double quantisation; blocks as `files` has them, and values where they are none.
int64_t bytes_in_few_bits(const WeightSlot& slot, Quantization quantization, const WeightFiles* files,
                          const DecoderConfig& config, at::ScalarType dtype) {
    const int64_t elements = element_count(slot.shape);
    constexpr int64_t kFloat = 4;  // bytes
    if (quantization == Quantization::blocks) {
        const std::string name = files != nullptr ? name_in(*files, slot, config) : "";
        return files != nullptr && files->has(name) && files->has_blocks(name)
                   ? static_cast<int64_t>(files->stored_bytes(name))
                   : elements * static_cast<int64_t>(c10::elementSize(dtype));
    }
    if (quantization == Quantization::int8) return elements + slot.shape[0] * kFloat;
    const QuantizedWeight form;
    const int64_t blocks = (elements + form.block - 1) / form.block;
    const int64_t nested = (blocks + form.nested_block - 1) / form.nested_block;
    return (elements + 1) / 2 + blocks + nested * kFloat + dynamic_map().numel() * kFloat;
}

// Bytes of an element as config.json says; the hub's older files have no dtype: float32.
int64_t configured_size(const DecoderConfig& config) {
    for (const char* key : {"dtype", "torch_dtype"}) {
        const auto found = config.source.is_object() ? config.source.find(key) : config.source.end();
        if (config.source.is_object() && found != config.source.end() && found->is_string())
            return *found == "float32" ? 4 : 2;
    }
    return 4;
}

}  // namespace

LoadingMemory loading_memory(const WeightFiles* files, const std::vector<WeightSlot>& slots, const DecoderConfig& config,
                             at::ScalarType dtype, const at::Device& device, Quantization quantization) {
    LoadingMemory memory;
    for (const WeightSlot& slot : slots) {
        const std::string name = files != nullptr ? name_in(*files, slot, config) : "";
        int64_t element = configured_size(config);
        if (files != nullptr && files->has(name)) element = static_cast<int64_t>(c10::elementSize(files->dtype(name)));
        const Quantization form =
            files != nullptr && slot.linear != nullptr && has_nf4(*files, name) ? Quantization::nf4 : quantization;
        const bool narrow = slot.linear != nullptr && form != Quantization::none;
        const int64_t bytes = narrow ? bytes_in_few_bits(slot, form, files, config, dtype)
                                     : element_count(slot.shape) * static_cast<int64_t>(c10::elementSize(dtype));
        memory.kept += bytes;
        const bool is_mapped =
            files != nullptr && !narrow && !mapped_names(*files, slots, slot.place, config, dtype, device).empty();
        if (!is_mapped) memory.copied += bytes;
        // What is copied is in the mapped file's pages besides, until it has been read.
        const int64_t besides = device.is_cpu() && !is_mapped ? element_count(slot.shape) * element : 0;
        memory.peak = std::max(memory.peak, memory.kept + besides);
    }
    return memory;
}

LoadingMemory loading_memory(const fs::path& folder, const DecoderConfig& config, at::ScalarType dtype,
                             const at::Device& device, Quantization quantization) {
    const fs::path real = located_model(folder);
    std::optional<WeightFiles> files;
    if (has_weights(real)) files.emplace(folder);
    Decoder shapes = DecoderWeights::empty(config);
    return loading_memory(files ? &*files : nullptr, DecoderWeights::slots(shapes), config, dtype, device, quantization);
}

std::optional<LoadingMemory> known_loading_memory(const fs::path& model, at::ScalarType dtype, const at::Device& device,
                                                  Quantization quantization) {
    try {
        return loading_memory(model, read_decoder_config(model), dtype, device, quantization);
    } catch (const Stopped&) {
        throw;
    } catch (const std::exception&) {
        return std::nullopt;
    }
}

MemoryNeed memory_need(const LoadingMemory& memory, at::ScalarType dtype, Quantization quantization) {
    const bool is_narrow = quantization != Quantization::none;
    return {.weights = memory.kept,
            .form = is_narrow                ? name_of(quantization)
                    : dtype == at::kBFloat16 ? "bfloat16"
                                             : "float32",
            .hint = is_narrow             ? "a smaller model"
                    : dtype == at::kFloat ? "--dtype bfloat16, or --quantize, or a smaller model"
                                          : "--quantize, or a smaller model"};
}

void refuse_beyond_memory(const fs::path& model, at::ScalarType dtype, const at::Device& device, Quantization quantization) {
    if (const auto memory = known_loading_memory(model, dtype, device, quantization))
        refuse_beyond_memory(model.string(), memory_need(*memory, dtype, quantization), device);
}

}  // namespace craft
