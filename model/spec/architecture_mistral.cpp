// Mistral 7B and its kin: a Llama whose layers all see a window.
#include "model/spec/architecture.h"

namespace craft {

namespace {

void read_mistral(const ConfigReader& reader, DecoderConfig& config) {
    read_llama_sizes(reader, {.kv_heads = 8, .max_positions = 131072}, config);
    read_rope(reader, usual_ropes(), config);
    read_activation(reader, "hidden_act", "silu", config);
    // Version 0.1 had a window of 4096 and old files leave it out; null means none.
    const bool none = reader.has("sliding_window") && reader.find("sliding_window") == nullptr;
    if (!none) config.windows.assign(static_cast<size_t>(config.layers), reader.size("sliding_window", 4096));
}

}  // namespace

const Architecture kMistral = {"MistralForCausalLM", "mistral", read_mistral, {}};

}  // namespace craft
