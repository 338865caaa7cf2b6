// GPT-2: learned positions, LayerNorm, a feed-forward part without gate, projections stored as [in, out].
#include "model/spec/architecture.h"

namespace craft {

namespace {

void read_gpt2(const ConfigReader& reader, DecoderConfig& config) {
    config.vocab_size = reader.size("vocab_size", 50257);
    config.hidden_size = reader.size("n_embd", 768);
    config.layers = reader.size("n_layer", 12, 10000);
    config.heads = config.kv_heads = reader.size("n_head", 12);
    if (config.hidden_size % config.heads != 0)
        reader.fail("n_embd", "a multiple of n_head " + std::to_string(config.heads));
    config.head_dim = config.hidden_size / config.heads;
    config.intermediate_size = reader.size("n_inner", 4 * config.hidden_size);
    config.max_positions = reader.size("n_positions", 1024);
    config.rms_norm_eps = reader.number("layer_norm_epsilon", 1e-5);
    config.tied_embeddings = reader.flag("tie_word_embeddings", true);
    config.rope.kind = RopeKind::none;
    config.learned_positions = config.layer_norms = true;
    config.qkv_bias = config.o_bias = config.mlp_bias = true;
    config.gated = false;
    read_activation(reader, "activation_function", "gelu_new", config);
    if (!reader.flag("scale_attn_weights", true)) config.attention_scale = 1;
    for (const char* key : {"scale_attn_by_inverse_layer_idx", "add_cross_attention"}) reader.expect_absent_or(key, false);
}

TensorNames gpt2_names() {
    TensorNames n;
    n.prefix = "transformer.";
    n.embedding = "wte";
    n.positions = "wpe";
    n.layers = "h";
    n.final_norm = "ln_f";
    n.before_attention = "ln_1";
    n.before_feed_forward = "ln_2";
    n.qkv = {"attn.c_attn"};
    n.o = {"attn.c_proj"};
    n.gate_up = {"mlp.c_fc"};
    n.down = {"mlp.c_proj"};
    n.transposed = true;
    n.ignored = {"attn.bias", "attn.masked_bias"};  // the causal mask
    return n;
}

}  // namespace

const Architecture kGpt2 = {"GPT2LMHeadModel",
                            "gpt2",
                            read_gpt2,
                            gpt2_names(),
                            {{"q_proj", "c_attn"},
                             {"k_proj", "c_attn"},
                             {"v_proj", "c_attn"},
                             {"o_proj", "attn.c_proj"},
                             {"gate_proj", "c_fc"},
                             {"up_proj", "c_fc"},
                             {"down_proj", "mlp.c_proj"}}};

}  // namespace craft
