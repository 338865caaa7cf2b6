// Small decoders and random trees for the tests of model/ and model/generate/.
#pragma once

#include <torch/types.h>

#include <string>

#include "core/rng.h"
#include "model/decoder/decoder.h"
#include "tests/core/temporary_folder.h"

namespace craft::test {

inline DecoderConfig small_config(bool tied = true) {
    DecoderConfig config;
    config.vocab_size = 61;
    config.hidden_size = 24;
    config.intermediate_size = 40;
    config.layers = 3;
    config.heads = 4;
    config.kv_heads = 2;
    config.head_dim = 8;  // heads * head_dim differs from hidden_size
    config.max_positions = 256;
    config.tied_embeddings = tied;
    config.bos_token = 1;
    config.pad_token = 3;
    config.end_tokens = {2, 5};
    return config;
}

// Weights large enough that attention and gates matter (0.02 would leave every position nearly the same).
inline Decoder lively_decoder(const DecoderConfig& config, at::ScalarType dtype, uint64_t seed = 3) {
    Rng rng(seed, "test decoder");
    Decoder decoder = Decoder::initialise(config, rng);
    for (const DecoderLayer& layer : decoder.layer_weights())
        for (at::Tensor weight : {layer.qkv.weight, layer.o.weight, layer.gate_up.weight, layer.down.weight})
            weight.mul_(12);
    decoder.embedding().mul_(20);
    if (!config.tied_embeddings) decoder.head().mul_(20);
    const TemporaryFolder folder;
    decoder.save(folder.path(), at::kFloat);
    return Decoder::load(folder.path(), dtype, at::kCPU);
}

inline std::vector<int64_t> random_tokens(Rng& rng, int64_t count, int64_t vocabulary) {
    std::vector<int64_t> tokens;
    for (int64_t i = 0; i < count; ++i) tokens.push_back(rng.between(0, vocabulary - 1));
    return tokens;
}

inline void make_adapter_matter(const Decoder& decoder) {
    for (const auto& [name, leaf] : decoder.trainable()) {
        at::Tensor values = leaf.detach();
        if (name.ends_with("lora_B.weight"))
            values.copy_(at::linspace(-0.3, 0.4, values.numel(), values.options()).view(values.sizes()));
    }
}

}  // namespace craft::test
