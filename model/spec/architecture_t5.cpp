// T5 (T5, Flan-T5, T0, Tk-Instruct, PEER, CoEDIT): an encoder and a decoder that sees it by cross attention. Positions are
// distances between tokens, products of queries and keys are not scaled, and the feed-forward part may have a gate.
#include <cmath>

#include "model/spec/architecture.h"

namespace craft {

namespace {

constexpr int64_t kT5MaxLayers = 10000, kT5MaxHeads = 1 << 16;
// Distances have no end: n_positions says what a model was trained on, not what it can read. A text of this many tokens
// takes gigabytes for the products of one layer.
constexpr int64_t kT5Positions = int64_t{1} << 14;

// "relu", "gated-gelu" ...
void read_t5_feed_forward(const ConfigReader& reader, DecoderConfig& config) {
    const std::string key = "feed_forward_proj", given = reader.text(key, "relu"), gate = "gated-";
    config.gated = given.starts_with(gate);
    std::string name = config.gated ? given.substr(gate.size()) : given;
    if (given == "gated-gelu") name = "gelu_new";
    config.activation = activation_named(ConfigReader(reader.where(), {{key, name}}), key, "relu");
}

void read_t5(const ConfigReader& reader, DecoderConfig& config) {
    config.vocab_size = reader.size("vocab_size", 32128);
    config.hidden_size = reader.size("d_model", 512);
    config.head_dim = reader.size("d_kv", 64, kT5MaxHeads);
    config.intermediate_size = reader.size("d_ff", 2048);
    config.encoder_layers = reader.size("num_layers", 6, kT5MaxLayers);
    config.layers = reader.size("num_decoder_layers", config.encoder_layers, kT5MaxLayers);
    config.heads = config.kv_heads = reader.size("num_heads", 8, kT5MaxHeads);
    config.position_buckets = reader.size("relative_attention_num_buckets", 32, 1 << 16);
    config.bucket_distance = reader.size("relative_attention_max_distance", 128);
    // Half of the buckets are for one direction each in the encoder, half of what is left for single distances.
    if (config.position_buckets % 4 != 0) reader.fail("relative_attention_num_buckets", "a multiple of 4");
    if (config.bucket_distance <= config.position_buckets / 2)
        reader.fail("relative_attention_max_distance",
                    "more than half of relative_attention_num_buckets, " + std::to_string(config.position_buckets / 2));
    config.max_positions = kT5Positions;
    config.rms_norm_eps = reader.number("layer_norm_epsilon", 1e-6);
    config.rope.kind = RopeKind::none;
    config.attention_scale = 1;
    read_t5_feed_forward(reader, config);
    // transformers takes this flag for whether states are scaled before the head, whichever matrix that is, and since its
    // version 5 writes that under a name of its own.
    config.tied_embeddings = reader.flag("tie_word_embeddings", true);
    if (reader.flag("scale_decoder_outputs", config.tied_embeddings))
        config.head_scale = 1 / std::sqrt(static_cast<double>(config.hidden_size));
    reader.expect_absent_or("is_encoder_decoder", true);
    const std::vector<int64_t> start = reader.tokens("decoder_start_token_id");
    const std::vector<int64_t> padding = reader.tokens("pad_token_id");
    config.start_token = !start.empty() ? start.front() : padding.empty() ? 0 : padding.front();
    if (config.start_token < 0 || config.start_token >= config.vocab_size)
        reader.fail("decoder_start_token_id", "a token id below vocab_size " + std::to_string(config.vocab_size));
}

// Of the encoder's layers, or with `is_decoder` of the decoder's.
TensorNames t5_names(bool is_decoder) {
    const std::string own = is_decoder ? "decoder." : "encoder.";
    const std::string self = "layer.0.SelfAttention.", cross = "layer.1.EncDecAttention.";
    const std::string feed_forward = is_decoder ? "layer.2." : "layer.1.", dense = feed_forward + "DenseReluDense.";
    TensorNames n;
    n.prefix = "";
    n.embedding = "shared";
    n.copies = {"encoder.embed_tokens", "decoder.embed_tokens"};
    n.layers = own + "block";
    n.final_norm = own + "final_layer_norm";
    n.before_attention = "layer.0.layer_norm";
    n.before_feed_forward = feed_forward + "layer_norm";
    n.qkv = {self + "q", self + "k", self + "v"};
    n.o = {self + "o"};
    n.position_bias = self + "relative_attention_bias";
    n.gate_up = {dense + "wi_0", dense + "wi_1"};
    n.ungated_up = {dense + "wi"};
    n.down = {dense + "wo"};
    if (is_decoder) {
        n.before_cross = "layer.1.layer_norm";
        n.cross_q = {cross + "q"};
        n.cross_kv = {cross + "k", cross + "v"};
        n.cross_o = {cross + "o"};
    }
    // Copies of the embedding, which transformers ties whatever they hold, and a table that old files have and nobody reads.
    n.ignored = {"encoder.embed_tokens.weight", "decoder.embed_tokens.weight",
                 "EncDecAttention.relative_attention_bias.weight"};
    return n;
}

}  // namespace

const Architecture kT5 = {"T5ForConditionalGeneration",
                          "t5",
                          read_t5,
                          t5_names(true),
                          {{"q_proj", "q"},
                           {"k_proj", "k"},
                           {"v_proj", "v"},
                           {"o_proj", "o"},
                           {"gate_proj", "wi_0"},
                           {"gate_proj", "wi"},
                           {"up_proj", "wi_1"},
                           {"up_proj", "wi"},
                           {"down_proj", "wo"}},
                          t5_names(false),
                          "T5WithLMHeadModel"};

}  // namespace craft
