#include "model/spec/adapter_config.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "core/ascii.h"
#include "core/error.h"
#include "core/files.h"
#include "core/log.h"
#include "core/model_files.h"
#include "core/unknown_keys.h"
#include "model/spec/config_reader.h"

namespace craft {

namespace fs = std::filesystem;

namespace {

constexpr int64_t kMaxRank = int64_t{1} << 20;
constexpr int64_t kPeftRank = 8;  // PEFT's own where a file leaves the keys out
constexpr double kPeftAlpha = 8;
constexpr size_t kMaxNames = 10000;  // of a list of modules or patterns: each is held against every module of a model

// Kinds of LoRA with a mathematics of their own: refused where they are asked for.
constexpr const char* kRefusedKeys[] = {"use_dora",
                                        "use_qalora",
                                        "lora_bias",
                                        "layer_replication",
                                        "target_parameters",
                                        "trainable_token_indices",
                                        "alora_invocation_tokens",
                                        "use_bdlora",
                                        "arrow_config",
                                        "kasa_config",
                                        "velora_config",
                                        "monteclora_config"};
// What PEFT 0.21 writes besides: keys that are read, and keys that say where an adapter comes from, how it was started or
// how it lies on devices, which change nothing of what it computes.
constexpr const char* kKnownKeys[] = {"peft_type",           "bias",
                                      "init_lora_weights",   "r",
                                      "lora_alpha",          "lora_dropout",
                                      "use_rslora",          "target_modules",
                                      "exclude_modules",     "layers_to_transform",
                                      "layers_pattern",      "rank_pattern",
                                      "alpha_pattern",       "modules_to_save",
                                      "ensure_weight_tying", "base_model_name_or_path",
                                      "fan_in_fan_out",      "task_type",
                                      "auto_mapping",        "revision",
                                      "inference_mode",      "peft_version",
                                      "runtime_config",      "loftq_config",
                                      "eva_config",          "corda_config",
                                      "lora_ga_config",      "megatron_config",
                                      "megatron_core",       "qalora_group_size"};

void check_count(const ConfigReader& reader, const std::string& key, const Json& names) {
    if (names.size() > kMaxNames) reader.fail(key, "at most " + std::to_string(kMaxNames) + " of them");
}

bool is_nothing(const Json* value) {
    static const std::vector<Json> nothing = {nullptr, false, "", Json::array(), Json::object()};
    return value == nullptr || std::find(nothing.begin(), nothing.end(), *value) != nothing.end();
}

void warn_of_unknown_keys(const Json& config, const std::string& file) {
    Json asked = Json::object();
    for (const auto& [key, value] : config.items())
        if (!is_nothing(&value)) asked[key] = true;
    std::vector<std::string_view> known(std::begin(kRefusedKeys), std::end(kRefusedKeys));
    known.insert(known.end(), std::begin(kKnownKeys), std::end(kKnownKeys));
    UnknownKeys unknown;
    unknown.see(asked, known);
    Json names = Json::array();
    for (const auto& [name, count] : unknown.counts()) names.push_back(name);
    if (!names.empty()) log_warning(file + ": unknown keys with a value are not read", {{"keys", names}});
}

// Ways to start from that change the base's weights too, which an adapter alone does not carry, are left out.
void check_kind(const ConfigReader& reader) {
    const Json* type = reader.find("peft_type");
    if (type == nullptr || *type != "LORA") reader.fail("peft_type", "\"LORA\"", "other adapters are not supported");
    for (const char* key : kRefusedKeys)
        if (!is_nothing(reader.find(key))) reader.fail(key, "nothing", "this kind of LoRA is not supported");
    if (const Json* bias = reader.find("bias"); bias != nullptr && *bias != "none")
        reader.fail("bias", "\"none\"", "trained biases are not supported");
    const Json* start = reader.find("init_lora_weights");
    static const std::set<Json> known = {true, false, "gaussian", "orthogonal", "eva"};
    if (start != nullptr && known.count(*start) == 0)
        reader.fail("init_lora_weights", "true, false, \"gaussian\", \"orthogonal\" or \"eva\"",
                    "others change the base's weights: let PEFT convert the adapter to a plain one");
}

std::vector<std::string> names_in(const ConfigReader& reader, const std::string& key, bool alone_too = false) {
    const Json* value = reader.find(key);
    std::vector<std::string> names;
    if (value == nullptr) return names;
    if (!value->is_array() && !(alone_too && value->is_string())) reader.fail(key, "a list of names");
    check_count(reader, key, *value);
    for (const Json& name : value->is_array() ? *value : Json::array({*value})) {
        if (!name.is_string() || name.get_ref<const std::string&>().empty()) reader.fail(key, "a list of names");
        names.push_back(name.get<std::string>());
    }
    return names;
}

// A string is a regular expression of whole names.
void read_modules(const ConfigReader& reader, const std::string& key, std::vector<std::string>& names,
                  std::string& expression) {
    const Json* value = reader.find(key);
    if (value != nullptr && value->is_string())
        expression = value->get<std::string>();
    else
        names = names_in(reader, key);
}

void read_targets(const ConfigReader& reader, LoraOptions& options) {
    options.targets.clear();
    read_modules(reader, "target_modules", options.targets, options.target_expression);
    if (equals_in_any_case(options.target_expression, "all-linear")) {
        options.targets = {"all-linear"};
        options.target_expression.clear();
    }
    if (options.targets.empty() && options.target_expression.empty())
        reader.fail("target_modules", "names of modules, \"all-linear\" or a regular expression");
    read_modules(reader, "exclude_modules", options.excluded, options.excluded_expression);
    options.layers_patterns = names_in(reader, "layers_pattern", true);
    if (const Json* layers = reader.find("layers_to_transform")) {
        check_count(reader, "layers_to_transform", *layers);
        for (const Json& layer : layers->is_array() ? *layers : Json::array({*layers})) {
            if (!layer.is_number_integer() || layer < 0) reader.fail("layers_to_transform", "numbers of layers");
            options.layers.push_back(layer.get<int64_t>());
        }
    }
    const bool by_name = options.target_expression.empty() && options.targets != std::vector<std::string>{"all-linear"};
    for (const char* key : {"layers_to_transform", "layers_pattern"})
        if (!by_name && !is_nothing(reader.find(key))) reader.fail(key, "nothing", "target_modules is no list");
    if (!options.layers_patterns.empty() && reader.find("layers_to_transform") == nullptr)
        reader.fail("layers_pattern", "layers_to_transform beside it");
}

void read_patterns(const ConfigReader& reader, LoraOptions& options) {
    const auto entries = [&](const char* key) {
        const Json* value = reader.find(key);
        if (value != nullptr && !value->is_object()) reader.fail(key, "an object of names and numbers");
        if (value != nullptr) check_count(reader, key, *value);
        return value == nullptr ? Json::object() : *value;
    };
    const Json ranks = entries("rank_pattern"), alphas = entries("alpha_pattern");
    for (const auto& [pattern, rank] : ranks.items()) {
        if (!rank.is_number_integer() || rank < 1 || rank > kMaxRank) reader.fail("rank_pattern", "ranks of at least 1");
        options.ranks.emplace_back(pattern, rank.get<int64_t>());
    }
    for (const auto& [pattern, alpha] : alphas.items()) {
        if (!alpha.is_number() || !std::isfinite(alpha.get<double>())) reader.fail("alpha_pattern", "numbers");
        options.alphas.emplace_back(pattern, alpha.get<double>());
    }
}

Json list_or_null(const std::vector<std::string>& names) {
    return names.empty() ? Json() : Json(names);
}

// PEFT's alphas are whole numbers in most folders.
Json number(double value) {
    const bool is_integer = value == std::floor(value) && std::abs(value) < 1e15;
    return is_integer ? Json(static_cast<int64_t>(value)) : Json(value);
}

// "" where there are none.
std::string where_adapters_are(const fs::path& folder) {
    constexpr size_t kShown = 3;
    const std::vector<fs::path> adapters = adapters_below(folder);
    if (adapters.empty()) return "";
    std::string text = "adapters lie in ";
    for (size_t i = 0; i < std::min(adapters.size(), kShown); ++i) text += (i > 0 ? ", " : "") + adapters[i].string();
    return text + (adapters.size() > kShown ? ", ... (" + std::to_string(adapters.size()) + " in all)" : "");
}

}  // namespace

LoraOptions parse_adapter_config(const Json& json, const std::string& file) {
    if (!json.is_object()) throw Error(file, "a JSON object", json.type_name());
    const ConfigReader reader(file, json);
    check_kind(reader);
    LoraOptions options;
    options.rank = reader.has("r") ? reader.size("r", std::nullopt, kMaxRank) : kPeftRank;
    options.alpha = kPeftAlpha;
    if (reader.has("lora_alpha")) {
        const Json* alpha = reader.find("lora_alpha");
        if (alpha == nullptr || !alpha->is_number() || !std::isfinite(alpha->get<double>()))
            reader.fail("lora_alpha", "a number");
        options.alpha = alpha->get<double>();
    }
    if (const Json* dropout = reader.find("lora_dropout")) {
        if (!dropout->is_number()) reader.fail("lora_dropout", "a number");
        options.dropout = dropout->get<double>();
    }
    options.rslora = reader.flag("use_rslora", false);
    read_targets(reader, options);
    read_patterns(reader, options);
    options.saved_modules = names_in(reader, "modules_to_save");
    options.ensure_weight_tying = reader.flag("ensure_weight_tying", false);
    check_lora_options(options, file);
    return options;
}

LoraOptions read_adapter_config(const fs::path& folder) {
    const fs::path file = folder / "adapter_config.json";
    if (!fs::exists(file))
        throw Error(folder.string(), "an adapter folder with adapter_config.json, or a run folder that holds one",
                    "none there",
                    fs::exists(folder / "config.json") ? "the folder looks like a model: --model names it"
                                                       : where_adapters_are(folder));
    if (!fs::exists(folder / "adapter_model.safetensors"))
        throw Error(folder.string(), "adapter_model.safetensors", "none there",
                    fs::exists(folder / "adapter_model.bin")
                        ? "adapter_model.bin cannot be read: save the adapter with safe_serialization=True"
                        : "");
    const Json config = read_json_file(file);
    LoraOptions options = parse_adapter_config(config, file.string());
    warn_of_unknown_keys(config, file.string());
    return options;
}

Json adapter_config_json(const LoraOptions& options, const std::string& base, bool transposed, bool is_encoder_decoder) {
    const auto modules = [](const std::vector<std::string>& names, const std::string& expression) {
        return expression.empty() ? list_or_null(names) : Json(expression);
    };
    Json ranks = Json::object(), alphas = Json::object();
    for (const auto& [pattern, rank] : options.ranks) ranks[pattern] = rank;
    for (const auto& [pattern, alpha] : options.alphas) alphas[pattern] = number(alpha);
    Json config = {{"peft_type", "LORA"},
                   {"task_type", is_encoder_decoder ? "SEQ_2_SEQ_LM" : "CAUSAL_LM"},
                   {"base_model_name_or_path", base.empty() ? Json() : Json(base)},
                   {"r", options.rank},
                   {"lora_alpha", number(options.alpha)},
                   {"lora_dropout", options.dropout},
                   {"target_modules", modules(options.targets, options.target_expression)},
                   {"bias", "none"},
                   {"fan_in_fan_out", transposed},
                   {"inference_mode", true},
                   {"init_lora_weights", true},
                   {"modules_to_save", list_or_null(options.saved_modules)},
                   {"layers_to_transform", options.layers.empty() ? Json() : Json(options.layers)},
                   {"rank_pattern", ranks},
                   {"alpha_pattern", alphas},
                   {"use_dora", false},
                   {"use_rslora", options.rslora}};
    // Keys that older versions of PEFT do not know stand there only where they say something.
    if (!options.layers_patterns.empty()) config["layers_pattern"] = options.layers_patterns;
    if (!options.excluded.empty() || !options.excluded_expression.empty())
        config["exclude_modules"] = modules(options.excluded, options.excluded_expression);
    if (options.ensure_weight_tying) config["ensure_weight_tying"] = true;
    return config;
}

void check_lora_options(const LoraOptions& options, const std::string& where) {
    if (options.rank < 1 || options.rank > kMaxRank)
        throw Error(where + ": LoRA rank", "1 to " + std::to_string(kMaxRank), std::to_string(options.rank));
    if (!(options.dropout >= 0 && options.dropout < 1))
        throw Error(where + ": LoRA dropout", "0 <= p < 1", std::to_string(options.dropout));
}

}  // namespace craft
