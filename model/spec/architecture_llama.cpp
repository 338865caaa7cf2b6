// Llama 1 to 3.x: RMSNorm, RoPE, grouped-query attention, SwiGLU.
#include "model/spec/architecture.h"

namespace craft {

namespace {

void read_llama(const ConfigReader& reader, DecoderConfig& config) {
    read_llama_sizes(reader, {}, config);
    read_rope(reader, usual_ropes(), config);
    read_activation(reader, "hidden_act", "silu", config);
    config.qkv_bias = config.o_bias = reader.flag("attention_bias", false);
    config.mlp_bias = reader.flag("mlp_bias", false);
}

}  // namespace

const Architecture kLlama = {"LlamaForCausalLM", "llama", read_llama, {}};

}  // namespace craft
