#include "model/files/gguf_config.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/error.h"
#include "model/files/gguf_architectures.h"
#include "model/files/gguf_tokenizer.h"

namespace craft {

namespace {

// Keys of every architecture, without "NAME."; those after "expert" are checked to ask for nothing.
const std::vector<std::string> kCommonKeys = {"context_length",
                                              "embedding_length",
                                              "block_count",
                                              "feed_forward_length",
                                              "vocab_size",
                                              "attention.head_count",
                                              "attention.head_count_kv",
                                              "attention.key_length",
                                              "attention.value_length",
                                              "attention.layer_norm_rms_epsilon",
                                              "attention.causal",
                                              "attention.scale",
                                              "rope.dimension_count",
                                              "rope.freq_base",
                                              "rope.scaling.type",
                                              "rope.scaling.factor",
                                              "rope.scaling.original_context_length",
                                              "rope.scaling.finetuned",
                                              "rope.scaling.attn_factor",
                                              "rope.scaling.yarn_ext_factor",
                                              "rope.scaling.yarn_attn_factor",
                                              "rope.scaling.yarn_beta_fast",
                                              "rope.scaling.yarn_beta_slow",
                                              "rope.scale_linear",
                                              "expert_count",
                                              "expert_used_count",
                                              "pooling_type"};

class Reader {
public:
    Reader(const GgufFile& file, const GgufArchitecture& a) : file_(file), prefix_(a.name + ".") {}

    std::string key(const std::string& name) const { return prefix_ + name; }
    const GgufFile& file() const { return file_; }
    bool has(const std::string& name) const { return file_.metadata().count(key(name)) > 0; }

    int64_t size(const std::string& name, std::optional<int64_t> absent = std::nullopt) const {
        return shared_size(file_, key(name), absent);
    }
    double number(const std::string& name, double absent) const {
        const double value = file_.number(key(name)).value_or(absent);
        if (!(value > 0)) file_.fail(key(name), "a positive number");
        return value;
    }
    // 0 turns a window or a cap off.
    double number_or_off(const std::string& name, double absent) const {
        const double value = file_.number(key(name)).value_or(absent);
        if (!(value >= 0)) file_.fail(key(name), "a number, or 0");
        return value;
    }
    void expect(const std::string& name, double wanted, const std::string& hint) const {
        const std::optional<double> value = file_.number(key(name));
        if (!value || std::abs(*value - wanted) <= 1e-5 * std::abs(wanted)) return;
        file_.fail(key(name), dump_line(Json(wanted)), hint);
    }

private:
    const GgufFile& file_;
    std::string prefix_;
};

void expect_known_keys(const GgufFile& file, const GgufArchitecture& a) {
    const std::string prefix = a.name + ".";
    for (const auto& [key, value] : file.metadata()) {
        if (!key.starts_with(prefix)) continue;
        const std::string name = key.substr(prefix.size());
        const auto is_in = [&](const std::vector<std::string>& keys) {
            return std::find(keys.begin(), keys.end(), name) != keys.end();
        };
        if (!is_in(kCommonKeys) && !is_in(a.keys))
            file.fail(key, "no such key in a model of architecture " + a.name, "its meaning is unknown");
    }
}

std::vector<float> factors(const GgufFile& file, const std::string& tensor, int64_t count) {
    const GgufTensor* found = file.find(tensor);
    if (found == nullptr) return {};
    if (found->type != GgufType::f32 || found->shape != std::vector<int64_t>{count})
        throw Error(file.place_of(tensor), std::to_string(count) + " float32 numbers, one for each pair of dimensions",
                    "another shape or type");
    std::vector<float> values(static_cast<size_t>(count));
    dequantise(GgufType::f32, file.bytes(*found), values.data());
    for (const float value : values)
        if (!std::isfinite(value) || value <= 0) throw Error(file.place_of(tensor), "positive numbers", "others");
    return values;
}

// Llama 3's scaling of rotary frequencies: what rope_freqs.weight was made of.
struct Llama3Scaling {
    double factor = 8, low = 1, high = 4, original = 8192;

    // By what the frequency of pair i is divided, as converters compute it.
    double divisor(double frequency) const {
        const double wavelength = 2 * std::numbers::pi / frequency;
        if (wavelength < original / high) return 1;
        if (wavelength > original / low) return factor;
        const double smooth = (original / wavelength - low) / (high - low);
        return 1 / ((1 - smooth) / factor + smooth);
    }
    bool gives(const std::vector<float>& divisors, const std::vector<double>& frequencies) const {
        for (size_t i = 0; i < divisors.size(); ++i)
            if (std::abs(divisor(frequencies[i]) - divisors[i]) > 1e-4 * divisors[i]) return false;
        return true;
    }
};

// The scaling whose divisors these are. Only (original / low) and (high / low) show in them, so that low may be taken as 1.
std::optional<Llama3Scaling> scaling_of(const std::vector<float>& divisors, const std::vector<double>& frequencies) {
    Llama3Scaling scaling;
    scaling.factor = std::round(*std::max_element(divisors.begin(), divisors.end()) * 1000) / 1000.0;
    if (scaling.gives(divisors, frequencies)) return scaling;  // Llama 3.1's own
    if (scaling.factor <= 1) return std::nullopt;
    // Between both ends 1 / divisor is linear in the frequency.
    std::vector<std::pair<double, double>> between;  // 1 / wavelength, smooth
    for (size_t i = 0; i < divisors.size(); ++i) {
        const double smooth = (1.0 / divisors[i] - 1 / scaling.factor) / (1 - 1 / scaling.factor);
        if (smooth > 1e-3 && smooth < 1 - 1e-3) between.emplace_back(frequencies[i] / (2 * std::numbers::pi), smooth);
    }
    if (between.empty()) return std::nullopt;
    // One of them gives the length, if the rest is Llama 3.1's; two of them give both.
    const auto [waves, smooth] = between.front();
    scaling.original = std::round((smooth * (scaling.high - scaling.low) + scaling.low) / waves);
    if (scaling.gives(divisors, frequencies)) return scaling;
    if (between.size() < 2) return std::nullopt;
    const double slope = (smooth - between.back().second) / (waves - between.back().first), at_zero = smooth - slope * waves;
    if (!(at_zero < 0)) return std::nullopt;
    scaling.high = std::round((1 - 1 / at_zero) * 1000) / 1000;
    scaling.original = std::round(slope * (scaling.high - 1));
    if (!(scaling.high > 1) || !(scaling.original >= 2) || !scaling.gives(divisors, frequencies)) return std::nullopt;
    return scaling;
}

// As llama.cpp computes it, whose factor on cos and sin multiplies the usual one. It takes no other scaling's keys.
void add_yarn(const Reader& reader, Json& config) {
    if (!reader.has("rope.scaling.factor"))
        throw Error(reader.file().path() + ": " + reader.key("rope.scaling.factor"), "yarn's factor", "none");
    const double factor = reader.number("rope.scaling.factor", 1);
    reader.expect("rope.scaling.yarn_ext_factor", 1, "less than the whole of YaRN is not supported");
    const double scale = reader.number("rope.scaling.attn_factor", 1) * reader.number("rope.scaling.yarn_attn_factor", 1);
    Json rope = {{"rope_type", "yarn"},
                 {"factor", factor},
                 {"original_max_position_embeddings",
                  reader.size("rope.scaling.original_context_length", config["max_position_embeddings"].get<int64_t>())},
                 {"beta_fast", reader.number("rope.scaling.yarn_beta_fast", 32)},
                 {"beta_slow", reader.number("rope.scaling.yarn_beta_slow", 1)}};
    if (scale != 1) rope["attention_factor"] = scale * (factor <= 1 ? 1 : 0.1 * std::log(factor) + 1);
    config["rope_scaling"] = rope;
}

void add_scaling(const Reader& reader, int64_t dims, double theta, Json& config) {
    const GgufFile& file = reader.file();
    const std::string type(file.text(reader.key("rope.scaling.type")).value_or(""));
    const double linear = reader.number_or_off("rope.scaling.factor", reader.number_or_off("rope.scale_linear", 0));
    const bool is_yarn = type == "yarn" && config["model_type"] != "phi3";
    const std::string scalings = "none, linear, yarn (not in phi3), longrope with its factors (phi3)";
    if (!type.empty() && type != "none" && type != "linear" && type != "longrope" && !is_yarn)
        file.fail(reader.key("rope.scaling.type"), scalings, "other scalings of rotary positions are not supported");
    const std::vector<float> long_factors = factors(file, "rope_factors_long.weight", dims / 2),
                             short_factors = factors(file, "rope_factors_short.weight", dims / 2),
                             divisors = factors(file, "rope_freqs.weight", dims / 2);
    for (const char* key : {"yarn_ext_factor", "yarn_attn_factor", "yarn_beta_fast", "yarn_beta_slow", "attn_factor"}) {
        const std::string name = std::string("rope.scaling.") + key;
        const bool is_longropes = config["model_type"] == "phi3" && key == std::string("attn_factor");
        if (reader.has(name) && !is_yarn && !is_longropes)
            file.fail(reader.key(name), "no such key where rope.scaling.type is not yarn", "its meaning is unknown");
    }
    const bool is_long = !long_factors.empty() || !short_factors.empty();
    if (type == "longrope" && !is_long)
        throw Error(file.path() + ": " + reader.key("rope.scaling.type"),
                    "the tensors rope_factors_long.weight and rope_factors_short.weight", "neither");
    if (is_long) {
        if (long_factors.empty() || short_factors.empty() || config["model_type"] != "phi3" || !divisors.empty())
            throw Error(file.path(), "rope_factors_long.weight and rope_factors_short.weight, of architecture phi3",
                        "one of them, or another architecture");
        config["original_max_position_embeddings"] = reader.size("rope.scaling.original_context_length");
        config["rope_scaling"] = {{"rope_type", "longrope"}, {"long_factor", long_factors}, {"short_factor", short_factors}};
        if (reader.has("rope.scaling.attn_factor"))
            config["rope_scaling"]["attention_factor"] = reader.number("rope.scaling.attn_factor", 1);
        return;
    }
    if (is_yarn && !divisors.empty())
        throw Error(file.place_of("rope_freqs.weight"), "no factors of frequencies beside yarn", "some");
    if (is_yarn) return add_yarn(reader, config);
    const bool is_linear = type != "none" && linear != 0 && linear != 1;
    if (!divisors.empty() && std::any_of(divisors.begin(), divisors.end(), [](float d) { return d != 1; })) {
        std::vector<double> frequencies;
        for (int64_t i = 0; i < dims / 2; ++i)
            frequencies.push_back(std::pow(theta, -2.0 * static_cast<double>(i) / static_cast<double>(dims)));
        const std::optional<Llama3Scaling> scaling = is_linear ? std::nullopt : scaling_of(divisors, frequencies);
        if (!scaling)
            throw Error(file.place_of("rope_freqs.weight"), "what Llama 3's scaling of rotary positions gives", "others",
                        "other scalings are not supported");
        config["rope_scaling"] = {{"rope_type", "llama3"},
                                  {"factor", scaling->factor},
                                  {"low_freq_factor", scaling->low},
                                  {"high_freq_factor", scaling->high},
                                  {"original_max_position_embeddings", static_cast<int64_t>(scaling->original)}};
    } else if (is_linear) {
        config["rope_scaling"] = {{"rope_type", "linear"}, {"factor", linear}};
    }
}

Json sizes_of(const Reader& reader, const GgufArchitecture& a) {
    const GgufFile& file = reader.file();
    const int64_t hidden = reader.size("embedding_length"), heads = reader.size("attention.head_count");
    const int64_t kv_heads = reader.size("attention.head_count_kv", heads);
    if (!reader.has("attention.key_length") && hidden % heads != 0)
        file.fail(reader.key("embedding_length"), "a multiple of the " + std::to_string(heads) + " heads");
    const int64_t head_dim = reader.size("attention.key_length", hidden / heads);
    if (reader.size("attention.value_length", head_dim) != head_dim)
        file.fail(reader.key("attention.value_length"), "that of keys, " + std::to_string(head_dim));
    const double theta = reader.number("rope.freq_base", 10000);
    const int64_t dims = reader.size("rope.dimension_count", head_dim);
    const bool is_part = a.name == "phi3" && dims < head_dim;
    if (dims % 2 != 0 || (dims != head_dim && !is_part))
        file.fail(reader.key("rope.dimension_count"), "the heads' size " + std::to_string(head_dim));
    Json config = {{"architectures", {a.huggingface}},
                   {"model_type", a.model_type},
                   {"hidden_size", hidden},
                   {"intermediate_size", reader.size("feed_forward_length")},
                   {"num_hidden_layers", reader.size("block_count")},
                   {"num_attention_heads", heads},
                   {"num_key_value_heads", kv_heads},
                   {"head_dim", head_dim},
                   {"max_position_embeddings", reader.size("context_length")},
                   {"rms_norm_eps", reader.number("attention.layer_norm_rms_epsilon", 1e-5)},
                   {"hidden_act", "silu"},
                   {"rope_theta", theta}};
    if (is_part) config["partial_rotary_factor"] = static_cast<double>(dims) / static_cast<double>(head_dim);
    add_scaling(reader, dims, theta, config);
    return config;
}

void add_window(const Reader& reader, Json& config) {
    const double window = reader.number_or_off("attention.sliding_window", 0);
    config["sliding_window"] = window > 0 ? Json(static_cast<int64_t>(window)) : Json();
}

bool has_bias(const GgufFile& file, const std::string& projection) {
    return file.find("blk.0." + projection + ".bias") != nullptr;
}

// What is particular to each of the Llama-like architectures.
void add_particulars(const Reader& reader, const GgufArchitecture& a, Json& config) {
    const GgufFile& file = reader.file();
    if (a.name == "llama") {
        config["attention_bias"] = has_bias(file, "attn_q");
        config["mlp_bias"] = has_bias(file, "ffn_up");
        if (reader.number_or_off("attention.sliding_window", 0) > 0) {
            config["architectures"] = {"MistralForCausalLM"};
            config["model_type"] = "mistral";
            add_window(reader, config);
        }
    } else if (a.name == "qwen3") {
        config["attention_bias"] = has_bias(file, "attn_q");
        config["use_sliding_window"] = false;
    } else if (a.name == "qwen2") {
        config["use_sliding_window"] = false;
    } else if (a.name == "phi3") {
        add_window(reader, config);
    } else if (a.name == "gemma2") {
        constexpr int64_t kLayersOf27B = 46;  // alone it scales products by the model's width
        const auto whole = [&](const char* key) { return config[key].get<int64_t>(); };
        config["query_pre_attn_scalar"] = whole("num_hidden_layers") == kLayersOf27B
                                              ? whole("hidden_size") / whole("num_attention_heads")
                                              : whole("head_dim");
        const auto cap = [&](const char* key, double absent) {
            const double value = reader.number_or_off(key, absent);
            return value > 0 ? Json(value) : Json();
        };
        config["attn_logit_softcapping"] = cap("attn_logit_softcapping", 50);
        config["final_logit_softcapping"] = cap("final_logit_softcapping", 30);
        config["hidden_activation"] = config["hidden_act"] = "gelu_pytorch_tanh";
        config["attention_bias"] = false;
        config["sliding_window"] = reader.size("attention.sliding_window", 4096);
    }
    const double scalar = config.value("query_pre_attn_scalar", static_cast<double>(config["head_dim"].get<int64_t>()));
    reader.expect("attention.scale", 1 / std::sqrt(scalar), "another scale of attention is not supported");
}

Json gpt2_config(const Reader& reader, const GgufArchitecture& a) {
    const int64_t heads = reader.size("attention.head_count");
    reader.expect("attention.head_count_kv", static_cast<double>(heads), "GPT-2 has as many");
    return {{"architectures", {a.huggingface}},
            {"model_type", a.model_type},
            {"n_embd", reader.size("embedding_length")},
            {"n_inner", reader.size("feed_forward_length")},
            {"n_layer", reader.size("block_count")},
            {"n_head", heads},
            {"n_positions", reader.size("context_length")},
            {"n_ctx", reader.size("context_length")},
            {"layer_norm_epsilon", reader.number("attention.layer_norm_epsilon", 1e-5)},
            {"activation_function", "gelu_new"}};
}

void add_tokens(const GgufFile& file, Json& config) {
    for (const auto& [key, name] : {std::pair{"bos", "bos_token_id"}, {"eos", "eos_token_id"}, {"padding", "pad_token_id"}})
        if (const auto id = file.integer(std::string("tokenizer.ggml.") + key + "_token_id")) config[name] = *id;
}

}  // namespace

Json gguf_config(const GgufFile& file) {
    const GgufArchitecture& a = gguf_architecture(file);
    expect_known_keys(file, a);
    const Reader reader(file, a);
    for (const char* key : {"expert_count", "expert_used_count"})
        reader.expect(key, 0, "mixtures of experts are not supported");
    if (!file.flag(reader.key("attention.causal")).value_or(true)) file.fail(reader.key("attention.causal"), "true");
    const GgufTensor* embedding = file.find("token_embd.weight");
    if (embedding == nullptr) throw Error(file.path(), "a tensor 'token_embd.weight'", "none of that name");
    Json config = a.name == "gpt2" ? gpt2_config(reader, a) : sizes_of(reader, a);
    if (a.name != "gpt2") add_particulars(reader, a, config);
    config["vocab_size"] = embedding->shape[0];
    config["tie_word_embeddings"] = file.find("output.weight") == nullptr;
    add_tokens(file, config);
    return config;
}

Json gguf_generation_config(const GgufFile& file) {
    Json config = Json::object();
    add_tokens(file, config);
    if (const std::vector<int64_t> ends = gguf_end_tokens(file); !ends.empty()) config["eos_token_id"] = ends;
    const std::optional<double> temperature = file.number("general.sampling.temp");
    if (!temperature || *temperature <= 0) return config;
    config["do_sample"] = true;
    config["temperature"] = *temperature;
    if (const auto k = file.integer("general.sampling.top_k"); k && *k >= 0) config["top_k"] = *k;
    if (const auto p = file.number("general.sampling.top_p")) config["top_p"] = *p;
    return config;
}

}  // namespace craft
