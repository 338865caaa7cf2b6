#include "model/spec/decoder_config.h"

#include <algorithm>

#include "core/error.h"
#include "core/log.h"
#include "model/files/model_documents.h"
#include "model/spec/architecture.h"
#include "model/spec/quantization_config.h"

namespace craft {

namespace fs = std::filesystem;

namespace {

const Architecture& architecture_in(const ConfigReader& reader) {
    if (const Architecture* one = find_architecture(reader)) return *one;
    if (reader.find("architectures") != nullptr) reader.fail("architectures", "one of " + architecture_names(), kModelsHint);
    reader.fail("model_type", "a name that belongs to one of " + architecture_names(), kModelsHint);
}

}  // namespace

DecoderConfig parse_decoder_config(const ConfigReader& reader, const ConfigReader* generation) {
    const Architecture& architecture = architecture_in(reader);
    DecoderConfig config;
    config.architecture = architecture.name;
    config.source = reader.json();
    is_stored_in_nf4(config.source, reader.where());  // refuses other kinds
    architecture.read(reader, config);
    const auto first = [](const std::vector<int64_t>& ids) { return ids.empty() ? int64_t{-1} : ids.front(); };
    config.bos_token = first(reader.tokens("bos_token_id"));
    config.pad_token = first(reader.tokens("pad_token_id"));
    config.end_tokens = reader.tokens("eos_token_id");
    if (generation != nullptr) {
        config.generation_source = generation->json();
        const std::vector<int64_t> ends = generation->tokens("eos_token_id");
        if (ends.empty() && !config.end_tokens.empty())
            log_warning(generation->where() + " names no end token: as in transformers, none ends a text");
        config.end_tokens = ends;
    }
    return config;
}

DecoderConfig read_decoder_config(const fs::path& model) {
    const ModelDocuments documents(model);
    const ConfigReader reader(documents, "config.json");
    if (!documents.has("generation_config.json")) return parse_decoder_config(reader, nullptr);
    const ConfigReader generation(documents, "generation_config.json");
    return parse_decoder_config(reader, &generation);
}

void write_decoder_config(const fs::path& folder, const DecoderConfig& config, const std::string& dtype) {
    if (!config.source.is_null()) {
        Json json = config.source;
        for (const char* key : {"dtype", "torch_dtype"}) json[key] = dtype;
        json.erase("quantization_config");  // no weight in few bits is saved
        write_json_file(folder / "config.json", json);
        if (!config.generation_source.is_null())
            write_json_file(folder / "generation_config.json", config.generation_source);
        return;
    }
    const auto id = [](int64_t token) { return token < 0 ? Json() : Json(token); };
    Json ends;
    if (config.end_tokens.size() == 1) ends = config.end_tokens.front();
    if (config.end_tokens.size() > 1) ends = config.end_tokens;
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
                     {"dtype", dtype},
                     {"torch_dtype", dtype}});
    Json generation = Json::object();
    if (config.bos_token >= 0) generation["bos_token_id"] = config.bos_token;
    if (!ends.is_null()) generation["eos_token_id"] = config.end_tokens;
    if (config.pad_token >= 0) generation["pad_token_id"] = config.pad_token;
    write_json_file(folder / "generation_config.json", generation);
}

}  // namespace craft
