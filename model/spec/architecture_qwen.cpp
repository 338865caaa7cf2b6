// Qwen2 and 2.5 (biases on q, k, v), Qwen3 (norms of q and k instead); windows only where use_sliding_window says so.
#include "model/spec/architecture.h"

namespace craft {

namespace {

constexpr int64_t kFirstWindowLayer = 28;  // what max_window_layers is where a file leaves it out

void read_common(const ConfigReader& reader, const SizeDefaults& defaults, DecoderConfig& config) {
    read_llama_sizes(reader, defaults, config);
    read_rope(reader, usual_ropes(), config);
    read_activation(reader, "hidden_act", "silu", config);
    const Json* window = reader.find("sliding_window");
    const bool none = reader.has("sliding_window") && window == nullptr;
    if (!reader.flag("use_sliding_window", false) || none) return;
    read_windows(
        reader, reader.size("sliding_window", 4096),
        [](const ConfigReader& r, int64_t layer) {
            const Json* first = r.find("max_window_layers");
            if (first != nullptr && !first->is_number_integer()) r.fail("max_window_layers", "an integer");
            return layer >= (first == nullptr ? kFirstWindowLayer : first->get<int64_t>());
        },
        config);
}

void read_qwen2(const ConfigReader& reader, DecoderConfig& config) {
    read_common(reader, {.kv_heads = 32, .max_positions = 32768}, config);
    config.qkv_bias = true;
}

void read_qwen3(const ConfigReader& reader, DecoderConfig& config) {
    read_common(reader, {.kv_heads = 32, .head_dim = 128, .max_positions = 32768}, config);
    config.qk_norms = true;
    config.qkv_bias = config.o_bias = reader.flag("attention_bias", false);
}

}  // namespace

const Architecture kQwen2 = {"Qwen2ForCausalLM", "qwen2", read_qwen2, {}};
const Architecture kQwen3 = {"Qwen3ForCausalLM", "qwen3", read_qwen3, {}};

}  // namespace craft
