#include "model/spec/architecture.h"

#include <algorithm>

#include "core/error.h"

namespace craft {

const std::vector<const Architecture*>& known_architectures() {
    static const std::vector<const Architecture*> all = {
        // One line an architecture.
        &kLlama, &kMistral, &kQwen2, &kQwen3, &kPhi3, &kGpt2, &kGemma2, &kOpt, &kT5,
    };
    return all;
}

std::string architecture_names() {
    std::string names;
    for (const Architecture* one : known_architectures()) names += (names.empty() ? "" : ", ") + one->name;
    return names;
}

const Architecture* find_architecture(const ConfigReader& reader) {
    const Json* names = reader.find("architectures");
    const Json* type = reader.find("model_type");
    for (const Architecture* one : known_architectures()) {
        const auto holds = [&](const std::string& name) {
            return !name.empty() && std::find(names->begin(), names->end(), name) != names->end();
        };
        const bool is_named = names != nullptr && names->is_array() && (holds(one->name) || holds(one->former_name));
        if (is_named || (names == nullptr && type != nullptr && *type == one->model_type)) return one;
    }
    return nullptr;
}

const Architecture& architecture_of(const DecoderConfig& config) {
    std::vector<std::string> names;
    for (const Architecture* one : known_architectures()) {
        if (one->name == config.architecture) return *one;
        names.push_back(one->name);
    }
    throw_unknown("architecture", config.architecture, names);
}

const TensorNames& layer_names(const DecoderConfig& config, int64_t layer) {
    const Architecture& architecture = architecture_of(config);
    return layer < config.encoder_layers ? architecture.encoder : architecture.names;
}

std::string layer_prefix(const DecoderConfig& config, int64_t layer) {
    const TensorNames& names = layer_names(config, layer);
    const int64_t number = layer < config.encoder_layers ? layer : layer - config.encoder_layers;
    return names.prefix + names.layers + "." + std::to_string(number) + ".";
}

const std::vector<std::string>& up_names(const TensorNames& names, bool gated) {
    return gated || names.ungated_up.empty() ? names.gate_up : names.ungated_up;
}

void read_llama_sizes(const ConfigReader& reader, const SizeDefaults& defaults, DecoderConfig& config) {
    constexpr int64_t kMaxLayers = 10000, kMaxHeads = 1 << 16;
    config.vocab_size = reader.size("vocab_size");
    config.hidden_size = reader.size("hidden_size");
    config.intermediate_size = reader.size("intermediate_size");
    config.layers = reader.size("num_hidden_layers", std::nullopt, kMaxLayers);
    config.heads = reader.size("num_attention_heads", std::nullopt, kMaxHeads);
    // null means as many as heads; files that leave the key out mean the architecture's default.
    const bool is_default = !reader.has("num_key_value_heads") && defaults.kv_heads > 0;
    config.kv_heads = reader.size("num_key_value_heads", is_default ? defaults.kv_heads : config.heads, kMaxHeads);
    const bool fixed = !reader.has("head_dim") && defaults.head_dim > 0;
    if (!fixed && reader.find("head_dim") == nullptr && config.hidden_size % config.heads != 0)
        reader.fail("hidden_size", "a multiple of num_attention_heads " + std::to_string(config.heads));
    config.head_dim = reader.size("head_dim", fixed ? defaults.head_dim : config.hidden_size / config.heads, kMaxHeads);
    if (config.heads % config.kv_heads != 0)
        reader.fail("num_key_value_heads", "a divisor of num_attention_heads " + std::to_string(config.heads));
    config.max_positions = reader.size("max_position_embeddings", defaults.max_positions);
    config.rms_norm_eps = reader.number("rms_norm_eps", defaults.norm_eps);
    config.tied_embeddings = reader.flag("tie_word_embeddings", defaults.tied);
}

Activation activation_named(const ConfigReader& reader, const std::string& key, const std::string& absent) {
    static const std::vector<std::pair<std::string, Activation>> known = {{"silu", Activation::silu},
                                                                          {"swish", Activation::silu},
                                                                          {"gelu", Activation::gelu},
                                                                          {"gelu_python", Activation::gelu},
                                                                          {"gelu_new", Activation::gelu_tanh},
                                                                          {"gelu_fast", Activation::gelu_tanh},
                                                                          {"gelu_pytorch_tanh", Activation::gelu_tanh},
                                                                          {"relu", Activation::relu}};
    const std::string name = reader.text(key, absent);
    std::string names;
    for (const auto& [text, activation] : known) {
        if (text == name) return activation;
        names += (names.empty() ? "" : ", ") + text;
    }
    reader.fail(key, "one of " + names);
}

void read_activation(const ConfigReader& reader, const std::string& key, const std::string& absent, DecoderConfig& config) {
    config.activation = activation_named(reader, key, absent);
}

void read_windows(const ConfigReader& reader, int64_t window, bool (*slides)(const ConfigReader&, int64_t),
                  DecoderConfig& config) {
    const Json* types = reader.find("layer_types");
    if (types != nullptr && (!types->is_array() || types->size() != static_cast<size_t>(config.layers)))
        reader.fail("layer_types", "a list of " + std::to_string(config.layers) + " kinds of attention");
    for (int64_t i = 0; i < config.layers; ++i) {
        bool is_sliding = types == nullptr && slides(reader, i);
        if (types != nullptr) {
            const Json& type = (*types)[static_cast<size_t>(i)];
            if (type != "sliding_attention" && type != "full_attention")
                reader.fail("layer_types", "sliding_attention or full_attention");
            is_sliding = type == "sliding_attention";
        }
        config.windows.push_back(is_sliding ? window : 0);
    }
}

}  // namespace craft
