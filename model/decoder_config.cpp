#include <algorithm>

#include "core/error.h"
#include "model/decoder.h"
#include "model/decoder_files.h"

namespace craft {

namespace fs = std::filesystem;

namespace {

// config.json with errors that name the file and the key.
class ConfigReader {
public:
    explicit ConfigReader(const fs::path& file) : where_(file.string()), json_(read_json_file(file)) {
        if (!json_.is_object()) throw Error(where_, "a JSON object", json_.type_name());
    }

    const Json* find(const std::string& key) const {
        const auto found = json_.find(key);
        return found == json_.end() || found->is_null() ? nullptr : &*found;
    }

    int64_t size(const std::string& key, std::optional<int64_t> absent = std::nullopt) const {
        const Json* value = find(key);
        if (value == nullptr && absent) return *absent;
        if (value == nullptr) throw Error(where_, "the key '" + key + "'", "none");
        if (!value->is_number_integer() || *value < 1 || *value > (int64_t{1} << 32)) fail(key, "a positive integer");
        return value->get<int64_t>();
    }

    double number(const Json* value, const std::string& key, double absent) const {
        if (value == nullptr || value->is_null()) return absent;
        if (!value->is_number() || !(value->get<double>() > 0)) fail(key, "a positive number");
        return value->get<double>();
    }
    double number(const std::string& key, double absent) const { return number(find(key), key, absent); }

    bool flag(const std::string& key, bool absent) const {
        const Json* value = find(key);
        if (value == nullptr) return absent;
        if (!value->is_boolean()) fail(key, "true or false");
        return value->get<bool>();
    }

    std::vector<int64_t> tokens(const std::string& key) const {
        const Json* value = find(key);
        if (value == nullptr) return {};
        std::vector<int64_t> ids;
        for (const Json& id : value->is_array() ? *value : Json::array({*value})) {
            if (!id.is_number_integer()) fail(key, "a token id or a list of them");
            ids.push_back(id.get<int64_t>());
        }
        return ids;
    }

    [[noreturn]] void fail(const std::string& key, const std::string& expected, const std::string& hint = "") const {
        const Json* value = find(key);
        throw Error(where_ + ": " + key, expected, value == nullptr ? "nothing" : dump_line(*value), hint);
    }

private:
    std::string where_;
    Json json_;
};

void check_architecture(const ConfigReader& reader) {
    const std::string hint = "this program loads Llama-architecture decoders";
    if (const Json* names = reader.find("architectures")) {
        if (!names->is_array() || std::find(names->begin(), names->end(), "LlamaForCausalLM") == names->end())
            reader.fail("architectures", "LlamaForCausalLM", hint);
    } else if (const Json* type = reader.find("model_type"); type == nullptr || *type != "llama") {
        reader.fail("model_type", "llama", hint);
    }
    if (const Json* act = reader.find("hidden_act"); act != nullptr && *act != "silu") reader.fail("hidden_act", "silu");
    for (const std::string key : {"attention_bias", "mlp_bias"})
        if (reader.flag(key, false)) reader.fail(key, "false", "biases are not supported");
}

// transformers up to 4 writes rope_theta and rope_scaling, from 5 on rope_parameters.
double read_rope_theta(const ConfigReader& reader) {
    double theta = reader.number("rope_theta", 10000);
    for (const std::string key : {"rope_scaling", "rope_parameters"}) {
        const Json* rope = reader.find(key);
        if (rope == nullptr) continue;
        if (!rope->is_object()) reader.fail(key, "an object");
        for (const std::string type_key : {"rope_type", "type"})
            if (rope->contains(type_key) && (*rope)[type_key] != "default")
                reader.fail(key, "rope_type default", "scaled rotary positions are not supported");
        if (rope->contains("rope_theta")) theta = reader.number(&(*rope)["rope_theta"], key + ".rope_theta", theta);
    }
    return theta;
}

}  // namespace

DecoderConfig read_decoder_config(const fs::path& model_folder) {
    if (!fs::is_directory(model_folder)) throw Error(model_folder.string(), "a model folder", "no such folder");
    const ConfigReader reader(model_folder / "config.json");
    check_architecture(reader);
    DecoderConfig config;
    config.vocab_size = reader.size("vocab_size");
    config.hidden_size = reader.size("hidden_size");
    config.intermediate_size = reader.size("intermediate_size");
    config.layers = reader.size("num_hidden_layers");
    config.heads = reader.size("num_attention_heads");
    config.kv_heads = reader.size("num_key_value_heads", config.heads);
    if (reader.find("head_dim") == nullptr && config.hidden_size % config.heads != 0)
        reader.fail("hidden_size", "a multiple of num_attention_heads " + std::to_string(config.heads));
    config.head_dim = reader.size("head_dim", config.hidden_size / config.heads);
    if (config.head_dim % 2 != 0) reader.fail("head_dim", "an even number");
    if (config.heads % config.kv_heads != 0)
        reader.fail("num_key_value_heads", "a divisor of num_attention_heads " + std::to_string(config.heads));
    config.max_positions = reader.size("max_position_embeddings", 2048);
    config.rms_norm_eps = reader.number("rms_norm_eps", 1e-6);
    config.rope_theta = read_rope_theta(reader);
    config.tied_embeddings = reader.flag("tie_word_embeddings", false);
    const auto first = [](const std::vector<int64_t>& ids) { return ids.empty() ? int64_t{-1} : ids.front(); };
    config.bos_token = first(reader.tokens("bos_token_id"));
    config.pad_token = first(reader.tokens("pad_token_id"));
    config.end_tokens = reader.tokens("eos_token_id");
    if (const fs::path generation = model_folder / "generation_config.json"; fs::exists(generation))
        if (const auto ends = ConfigReader(generation).tokens("eos_token_id"); !ends.empty()) config.end_tokens = ends;
    return config;
}

void write_decoder_config(const fs::path& folder, const DecoderConfig& config, at::ScalarType dtype) {
    const auto id = [](int64_t token) { return token < 0 ? Json() : Json(token); };
    Json ends;
    if (config.end_tokens.size() == 1) ends = config.end_tokens.front();
    if (config.end_tokens.size() > 1) ends = config.end_tokens;
    const std::string dtype_name = dtype == at::kBFloat16 ? "bfloat16" : "float32";
    write_json_file(folder / "config.json",
                    {{"architectures", {"LlamaForCausalLM"}},
                     {"model_type", "llama"},
                     {"vocab_size", config.vocab_size},
                     {"hidden_size", config.hidden_size},
                     {"intermediate_size", config.intermediate_size},
                     {"num_hidden_layers", config.layers},
                     {"num_attention_heads", config.heads},
                     {"num_key_value_heads", config.kv_heads},
                     {"head_dim", config.head_dim},
                     {"max_position_embeddings", config.max_positions},
                     {"rms_norm_eps", config.rms_norm_eps},
                     {"hidden_act", "silu"},
                     {"attention_bias", false},
                     {"attention_dropout", 0.0},
                     {"mlp_bias", false},
                     {"rope_theta", config.rope_theta},
                     {"rope_parameters", {{"rope_type", "default"}, {"rope_theta", config.rope_theta}}},
                     {"tie_word_embeddings", config.tied_embeddings},
                     {"initializer_range", 0.02},
                     {"bos_token_id", id(config.bos_token)},
                     {"eos_token_id", ends},
                     {"pad_token_id", id(config.pad_token)},
                     {"use_cache", true},
                     {"dtype", dtype_name},
                     {"torch_dtype", dtype_name}});
    Json generation = Json::object();
    if (config.bos_token >= 0) generation["bos_token_id"] = config.bos_token;
    if (!ends.is_null()) generation["eos_token_id"] = config.end_tokens;
    if (config.pad_token >= 0) generation["pad_token_id"] = config.pad_token;
    write_json_file(folder / "generation_config.json", generation);
}

}  // namespace craft
