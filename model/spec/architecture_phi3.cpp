// Phi-3 and Phi-3.5 mini, Phi-4 mini: q k v and gate up in one tensor each, longrope, a window in all layers.
#include "model/spec/architecture.h"

namespace craft {

namespace {

void read_phi3(const ConfigReader& reader, DecoderConfig& config) {
    read_llama_sizes(reader, {.max_positions = 4096, .norm_eps = 1e-5}, config);
    read_rope(reader, {RopeKind::plain, RopeKind::longrope}, config);
    read_activation(reader, "hidden_act", "silu", config);
    if (reader.find("sliding_window") != nullptr)
        config.windows.assign(static_cast<size_t>(config.layers), reader.size("sliding_window"));
}

TensorNames phi3_names() {
    TensorNames n;
    n.qkv = {"self_attn.qkv_proj"};
    n.gate_up = {"mlp.gate_up_proj"};
    return n;
}

}  // namespace

const Architecture kPhi3 = {"Phi3ForCausalLM",
                            "phi3",
                            read_phi3,
                            phi3_names(),
                            {{"q_proj", "qkv_proj"},
                             {"k_proj", "qkv_proj"},
                             {"v_proj", "qkv_proj"},
                             {"gate_proj", "gate_up_proj"},
                             {"up_proj", "gate_up_proj"}}};

}  // namespace craft
