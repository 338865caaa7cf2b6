// Small encoder-decoders for tests.
#pragma once

#include <torch/types.h>

#include <filesystem>

#include "core/files.h"
#include "core/json.h"
#include "core/rng.h"
#include "model/decoder/decoder.h"

namespace craft::test {

inline Json t5_config_json(int64_t vocabulary, bool gated = true) {
    return {{"architectures", {"T5ForConditionalGeneration"}},
            {"model_type", "t5"},
            {"is_encoder_decoder", true},
            {"vocab_size", vocabulary},
            {"d_model", 16},
            {"d_kv", 6},
            {"d_ff", 24},
            {"num_layers", 2},
            {"num_decoder_layers", 3},
            {"num_heads", 2},
            {"relative_attention_num_buckets", 8},
            {"relative_attention_max_distance", 20},
            {"feed_forward_proj", gated ? "gated-gelu" : "relu"},
            {"tie_word_embeddings", !gated},
            {"decoder_start_token_id", 0},
            {"pad_token_id", 0},
            {"eos_token_id", 1}};
}

// Written to `folder`, with weights large enough that attention and distances matter.
inline void make_t5(const std::filesystem::path& folder, const Json& config) {
    ensure_folder(folder);
    write_json_file(folder / "config.json", config);
    Rng rng(5, "test encoder-decoder");
    const Decoder decoder = Decoder::initialise(read_decoder_config(folder), rng);
    for (const DecoderLayer& layer : decoder.layer_weights())
        for (Linear DecoderLayer::*const member : kLayerLinears)
            if (at::Tensor weight = (layer.*member).weight; weight.defined()) weight.mul_(12);
    at::Tensor words = decoder.embedding(), head = decoder.head();
    words.mul_(20);
    if (!decoder.config().tied_embeddings) head.mul_(20);
    decoder.save(folder, at::kFloat);
}

}  // namespace craft::test
