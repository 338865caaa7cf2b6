#include "model/decoder/random_decoder.h"

#include <torch/types.h>

#include <algorithm>

#include "core/model_files.h"
#include "model/decoder/decoder_files.h"
#include "model/kernels/quantizer.h"
#include "model/weights/weight_files.h"

namespace craft {

namespace fs = std::filesystem;

namespace {

constexpr int64_t kRowsAtOnce = 64;

at::Tensor random_matrix(const std::vector<int64_t>& shape, at::ScalarType dtype, const at::Device& device, Rng& rng) {
    at::Tensor block = at::empty({std::min(shape[0], kRowsAtOnce), shape[1]}, at::kFloat);
    float* const values = block.mutable_data_ptr<float>();
    for (int64_t i = 0; i < block.numel(); ++i) values[i] = static_cast<float>(0.02 * rng.normal());
    block = block.to(device, dtype);
    at::Tensor matrix = at::empty(shape, block.options());
    for (int64_t row = 0; row < shape[0]; row += kRowsAtOnce) {
        const int64_t rows = std::min(kRowsAtOnce, shape[0] - row);
        matrix.narrow(0, row, rows).copy_(block.narrow(0, 0, rows));
    }
    return matrix;
}

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

Decoder random_decoder(const DecoderConfig& config, at::ScalarType dtype, const at::Device& device,
                       Quantization quantization) {
    Decoder decoder = DecoderWeights::empty(config);
    Rng rng(1, "random decoder");
    for (const WeightSlot& slot : DecoderWeights::slots(decoder)) {
        if (slot.linear != nullptr && quantization != Quantization::none) {
            const at::Tensor values = random_matrix(slot.shape, at::kFloat, at::kCPU, rng);
            slot.linear->quantized.push_back(quantize(values, quantization, slot.name).to(device));
        } else if (!slot.place->defined()) {
            const bool is_weight = slot.name.ends_with(".weight");
            const at::TensorOptions place = at::TensorOptions().dtype(dtype).device(device);
            *slot.place = slot.whole.size() == 2
                              ? random_matrix(slot.whole, dtype, device, rng)
                              : at::full(slot.whole, is_weight && !config.norms_from_one ? 1.0 : 0.0, place);
        }
    }
    if (config.tied_embeddings) DecoderWeights::head(decoder) = decoder.embedding();
    return decoder;
}

LoadingMemory loading_memory(const fs::path& folder, const DecoderConfig& config, at::ScalarType dtype,
                             const at::Device& device, Quantization quantization) {
    const fs::path real = located_model(folder);
    const bool has_files =
        is_model_file(real) || fs::exists(real / "model.safetensors") || fs::exists(real / "model.safetensors.index.json");
    std::optional<WeightFiles> files;
    if (has_files) files.emplace(folder);
    Decoder shapes = DecoderWeights::empty(config);
    LoadingMemory memory;
    const std::vector<WeightSlot> slots = DecoderWeights::slots(shapes);
    for (const WeightSlot& slot : slots) {
        int64_t element = configured_size(config);
        if (files && files->has(name_in(*files, slot, config)))
            element = static_cast<int64_t>(c10::elementSize(files->dtype(name_in(*files, slot, config))));
        const bool narrow = slot.linear != nullptr && quantization != Quantization::none;
        memory.kept += narrow ? bytes_in_few_bits(slot, quantization, files ? &*files : nullptr, config, dtype)
                              : element_count(slot.shape) * static_cast<int64_t>(c10::elementSize(dtype));
        const bool is_mapped = files && !narrow && !mapped_names(*files, slots, slot.place, config, dtype, device).empty();
        // What is copied is in the mapped file's pages besides, until it has been read.
        const int64_t besides = device.is_cpu() && !is_mapped ? element_count(slot.shape) * element : 0;
        memory.peak = std::max(memory.peak, memory.kept + besides);
    }
    return memory;
}

}  // namespace craft
