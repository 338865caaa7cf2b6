// OPT: learned positions that begin at row 2 of their table, LayerNorm, biases, a feed-forward part without gate.
#include "model/spec/architecture.h"

namespace craft {

namespace {

constexpr int64_t kOptFirstPosition = 2;

void read_opt(const ConfigReader& reader, DecoderConfig& config) {
    config.vocab_size = reader.size("vocab_size", 50272);
    config.hidden_size = reader.size("hidden_size", 768);
    config.layers = reader.size("num_hidden_layers", 12, 10000);
    config.heads = config.kv_heads = reader.size("num_attention_heads", 12, 1 << 16);
    if (config.hidden_size % config.heads != 0)
        reader.fail("hidden_size", "a multiple of num_attention_heads " + std::to_string(config.heads));
    config.head_dim = config.hidden_size / config.heads;
    config.intermediate_size = reader.size("ffn_dim", 3072);
    config.max_positions = reader.size("max_position_embeddings", 2048);
    config.rms_norm_eps = 1e-5;
    config.tied_embeddings = reader.flag("tie_word_embeddings", true);
    config.rope.kind = RopeKind::none;
    config.learned_positions = config.layer_norms = true;
    config.first_position = kOptFirstPosition;
    config.qkv_bias = config.o_bias = config.mlp_bias = true;
    config.gated = false;
    read_activation(reader, "activation_function", "relu", config);
    // OPT-350m norms after each part and has embeddings of another width; the others do not.
    for (const char* key : {"do_layer_norm_before", "enable_bias", "layer_norm_elementwise_affine"})
        reader.expect_absent_or(key, true);
    reader.expect_absent_or("_remove_final_layer_norm", false);
    reader.expect_absent_or("word_embed_proj_dim", config.hidden_size);
}

TensorNames opt_names() {
    TensorNames n;
    n.prefix = "model.decoder.";
    n.positions = "embed_positions";
    n.final_norm = "final_layer_norm";
    n.before_attention = "self_attn_layer_norm";
    n.before_feed_forward = "final_layer_norm";
    n.o = {"self_attn.out_proj"};
    n.gate_up = {"fc1"};
    n.down = {"fc2"};
    n.ignored = {"decoder.version"};
    return n;
}

}  // namespace

const Architecture kOpt = {"OPTForCausalLM",
                           "opt",
                           read_opt,
                           opt_names(),
                           {{"o_proj", "out_proj"}, {"gate_proj", "fc1"}, {"up_proj", "fc1"}, {"down_proj", "fc2"}}};

}  // namespace craft
