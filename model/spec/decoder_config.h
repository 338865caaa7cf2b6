// What a decoder, alone or behind an encoder, is made of: the sizes and the choices that an architecture's file
// (architecture.h) fills in.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "core/json.h"

namespace craft {

enum class Activation { silu, gelu, gelu_tanh, relu };

// How positions turn queries and keys. `dynamic` and `longrope` depend on the whole sequence's length (rotary.h).
enum class RopeKind { none, plain, linear, dynamic, llama3, yarn, longrope };

struct RopeConfig {
    RopeKind kind = RopeKind::plain;
    int64_t dims = 0;                                 // first dimensions of a head that turn; 0: all of them
    double factor = 1;                                // linear, dynamic, llama3, yarn
    int64_t original_positions = 0;                   // dynamic, llama3, yarn, longrope: the length before scaling
    double low_frequency = 1, high_frequency = 4;     // llama3
    double fast_turns = 32, slow_turns = 1;           // yarn: turns within that length from which a pair stays as it is
    bool whole_bounds = true;                         // yarn: the pairs between which it blends are whole numbers
    std::vector<double> short_factors, long_factors;  // longrope, one for each pair of dimensions
    double attention_factor = 1;                      // yarn, longrope: cos and sin are multiplied by it
};

// config.json of the Hugging Face layout, or what a GGUF file says in its place. The defaults are a plain Llama.
struct DecoderConfig {
    std::string architecture = "LlamaForCausalLM";
    int64_t vocab_size = 0, hidden_size = 0, intermediate_size = 0, layers = 0, heads = 0, kv_heads = 0, head_dim = 0;
    int64_t max_positions = 2048;
    double rms_norm_eps = 1e-6, rope_theta = 10000;  // the former also of a LayerNorm
    bool tied_embeddings = true;
    int64_t bos_token = -1, pad_token = -1;
    std::vector<int64_t> end_tokens;

    RopeConfig rope;
    bool learned_positions = false;  // a table [first_position + max_positions, hidden] added to the embeddings
    int64_t first_position = 0;      // row of that table for the first token
    bool layer_norms = false;        // LayerNorm with bias instead of RMSNorm
    bool norms_from_one = false;     // RMSNorm multiplies by 1 + weight
    bool output_norms = false;       // a norm after attention and after the feed-forward part too
    bool qk_norms = false;           // RMSNorm of each head's query and key
    bool qkv_bias = false, o_bias = false, mlp_bias = false;
    bool gated = true;  // act(gate x) * up x; else act(up x)
    Activation activation = Activation::silu;
    std::vector<int64_t> windows;  // of each layer: keys a query sees, its own included; 0: all. Empty: 0 everywhere
    double embedding_scale = 1;
    double attention_scale = 0;  // of query-key products; 0: 1 / sqrt(head_dim)
    double attention_cap = 0;    // products p become cap * tanh(p / cap); 0: off
    double logit_cap = 0;        // likewise logits

    // An encoder-decoder (T5): an encoder reads the prompt, and `layers` see its states by cross attention. What they read
    // themselves begins with a token of its own.
    int64_t encoder_layers = 0;    // 0: a decoder alone
    int64_t start_token = -1;      // of an encoder-decoder
    int64_t position_buckets = 0;  // of distances, each with a number a head added to query-key products; 0: none
    int64_t bucket_distance = 0;   // from here on all distances are of the last bucket
    double head_scale = 1;         // of the states that the head sees

    Json source, generation_source;  // the files as they were read, for save(); null in a config made by hand

    bool is_encoder_decoder() const { return encoder_layers > 0; }
    int64_t window(int64_t layer) const { return windows.empty() ? 0 : windows[static_cast<size_t>(layer)]; }
};

// Throws Error naming the file and key: an unknown architecture (the known ones are listed), missing or inconsistent sizes,
// an option that is not supported.
DecoderConfig read_decoder_config(const std::filesystem::path& model);

}  // namespace craft
