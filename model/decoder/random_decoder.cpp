#include "model/decoder/random_decoder.h"

#include <torch/types.h>

#include <algorithm>

#include "model/decoder/decoder_files.h"
#include "model/kernels/quantizer.h"

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

}  // namespace craft
