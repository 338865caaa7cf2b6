// Gemma 2: norms that multiply by 1 + weight, also after attention and feed-forward; capped products and logits; every
// other layer sees a window.
#include <cmath>

#include "model/spec/architecture.h"

namespace craft {

namespace {

// null turns a cap off, an absent key means the default.
double cap(const ConfigReader& reader, const std::string& key, double absent) {
    return reader.has(key) && reader.find(key) == nullptr ? 0 : reader.number(key, absent);
}

void read_gemma2(const ConfigReader& reader, DecoderConfig& config) {
    read_llama_sizes(reader, {.kv_heads = 4, .head_dim = 256, .max_positions = 8192, .tied = true}, config);
    read_rope(reader, usual_ropes(), config);
    read_activation(reader, "hidden_activation", "gelu_pytorch_tanh", config);
    config.norms_from_one = config.output_norms = true;
    config.qkv_bias = config.o_bias = reader.flag("attention_bias", false);
    config.embedding_scale = std::sqrt(static_cast<double>(config.hidden_size));
    config.attention_scale = 1 / std::sqrt(reader.number("query_pre_attn_scalar", 256));
    config.attention_cap = cap(reader, "attn_logit_softcapping", 50);
    config.logit_cap = cap(reader, "final_logit_softcapping", 30);
    reader.expect_absent_or("use_bidirectional_attention", false);
    if (reader.has("sliding_window") && reader.find("sliding_window") == nullptr) return;
    read_windows(
        reader, reader.size("sliding_window", 4096), [](const ConfigReader&, int64_t layer) { return layer % 2 == 0; },
        config);
}

TensorNames gemma2_names() {
    TensorNames n;
    n.after_attention = "post_attention_layernorm";
    n.before_feed_forward = "pre_feedforward_layernorm";
    n.after_feed_forward = "post_feedforward_layernorm";
    return n;
}

}  // namespace

const Architecture kGemma2 = {"Gemma2ForCausalLM", "gemma2", read_gemma2, gemma2_names()};

}  // namespace craft
