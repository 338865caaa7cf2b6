// BART: an encoder, and a decoder that sees it through cross attention. Positions begin at row 2 of their table.
#include <cmath>

#include "model/spec/architecture.h"
#include "model/spec/encoder_family.h"

namespace craft {

namespace {

constexpr int64_t kFirstPosition = 2;

void read(const ConfigReader& reader, EncoderConfig& config) {
    read_sizes(reader, {"d_model", "encoder_layers", "encoder_attention_heads", "encoder_ffn_dim"}, config);
    config.first_position = kFirstPosition;
    config.position_rows = reader.size("max_position_embeddings", 1024) + kFirstPosition;
    config.norm_eps = 1e-5;
    config.activation = activation_named(reader, "activation_function", "gelu");
    if (reader.flag("scale_embedding", false)) config.embedding_scale = std::sqrt(static_cast<double>(config.hidden_size));
    config.tied_embeddings = reader.flag("tie_word_embeddings", true);
    // What fairseq's BART could be and transformers' is not.
    for (const char* key :
         {"normalize_before", "add_final_layer_norm", "static_position_embeddings", "add_bias_logits", "is_decoder"})
        reader.expect_absent_or(key, false);
    for (const char* key : {"normalize_embedding", "is_encoder_decoder"}) reader.expect_absent_or(key, true);
    reader.expect_absent_or("extra_pos_embeddings", kFirstPosition);
}

// `own` is "encoder." or "decoder."; `other` the other one.
StackNames names(const std::string& own, const std::string& other) {
    StackNames n;
    // The head stands outside of the body, whose prefix its name does not have.
    n.words = {own + "embed_tokens", "shared", other + "embed_tokens", "lm_head"};
    n.positions = own + "embed_positions";
    n.embedding_norm = own + "layernorm_embedding";
    n.layers = own + "layers.";
    n.self = {"self_attn.q_proj", "self_attn.k_proj", "self_attn.v_proj", "self_attn.out_proj", "self_attn_layer_norm"};
    n.up = "fc1";
    n.down = "fc2";
    n.norm = "final_layer_norm";
    return n;
}

StackNames decoder_names() {
    StackNames n = names("decoder.", "encoder.");
    n.cross = {"encoder_attn.q_proj", "encoder_attn.k_proj", "encoder_attn.v_proj", "encoder_attn.out_proj",
               "encoder_attn_layer_norm"};
    return n;
}

}  // namespace

const EncoderFamily kBart = {"bart",
                             {"BartForConditionalGeneration", "BartModel"},
                             {},
                             "",
                             "",
                             "model.",
                             read,
                             names("encoder.", "decoder."),
                             decoder_names(),
                             {},
                             {"encoder.version", "decoder.version"}};

}  // namespace craft
