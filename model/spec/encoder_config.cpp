#include "model/spec/encoder_config.h"

#include <algorithm>

#include "core/error.h"
#include "model/files/model_documents.h"
#include "model/spec/architecture.h"
#include "model/spec/encoder_family.h"

namespace craft {

namespace fs = std::filesystem;

namespace {

bool is_encoder_decoder(const EncoderFamily& family) {
    return !family.decoder.layers.empty();
}

[[noreturn]] void fail_unknown(const ConfigReader& reader, const std::string& known) {
    const std::string key = reader.find("architectures") == nullptr ? "model_type" : "architectures";
    reader.fail(key, (key == "model_type" ? "a name that belongs to one of " : "one of ") + known, kModelsHint);
}

std::string names_of(const std::vector<const EncoderFamily*>& families) {
    std::string names;
    for (const EncoderFamily* family : families)
        for (const std::string& name : family->architectures) names += (names.empty() ? "" : ", ") + name;
    return names;
}

EncoderConfig parse(const ConfigReader& reader, const EncoderFamily& family, const std::string& name) {
    EncoderConfig config;
    config.architecture = name;
    family.read(reader, config);
    const auto& heads = family.with_regression;
    const std::string problem = reader.text("problem_type", "regression");
    config.regression =
        std::find(heads.begin(), heads.end(), name) != heads.end() && label_count(reader) == 1 && problem == "regression";
    return config;
}

// The target shifted right begins with config.json's decoder_start_token_id, as transformers shifts labels; files that leave
// it to generation_config.json are read too. BART's own is 2.
int64_t start_token(const ConfigReader& config, const ConfigReader* generation, int64_t vocabulary) {
    const std::string key = "decoder_start_token_id";
    for (const ConfigReader* reader : {&config, generation}) {
        if (reader == nullptr) continue;
        const std::vector<int64_t> ids = reader->tokens(key);
        if (ids.empty()) continue;
        if (ids.size() > 1 || ids.front() < 0 || ids.front() >= vocabulary)
            reader->fail(key, "a token id below vocab_size " + std::to_string(vocabulary));
        return ids.front();
    }
    constexpr int64_t kBartStart = 2;
    if (config.has(key) || vocabulary <= kBartStart) config.fail(key, "a token id");
    return kBartStart;
}

}  // namespace

const std::vector<const EncoderFamily*>& encoder_families() {
    static const std::vector<const EncoderFamily*> all = {
        // One line a family.
        &kBert,
        &kRoberta,
        &kBart,
    };
    return all;
}

const EncoderFamily* find_encoder_family(const ConfigReader& reader, std::string* name) {
    const Json* names = reader.find("architectures");
    const Json* type = reader.find("model_type");
    for (const EncoderFamily* family : encoder_families()) {
        const auto& own = family->architectures;
        auto found = own.end();
        if (names == nullptr && type != nullptr && *type == family->model_type) found = own.begin();
        if (names != nullptr && names->is_array())
            found = std::find_if(own.begin(), own.end(), [&](const std::string& one) {
                return std::find(names->begin(), names->end(), Json(one)) != names->end();
            });
        if (found == own.end()) continue;
        if (name != nullptr) *name = *found;
        return family;
    }
    return nullptr;
}

StackConfig read_stack(const ConfigReader& reader, const StackKeys& keys, int64_t hidden_size) {
    const StackConfig stack = {reader.size(keys.layers, std::nullopt, 10000), reader.size(keys.heads, std::nullopt, 1 << 16),
                               reader.size(keys.feed_forward)};
    if (hidden_size % stack.heads != 0)
        reader.fail(keys.hidden, "a multiple of " + keys.heads + " " + std::to_string(stack.heads));
    return stack;
}

void read_sizes(const ConfigReader& reader, const StackKeys& keys, EncoderConfig& config) {
    config.vocab_size = reader.size("vocab_size");
    config.hidden_size = reader.size(keys.hidden);
    config.stack = read_stack(reader, keys, config.hidden_size);
}

const EncoderFamily& encoder_family_of(const EncoderConfig& config) {
    for (const EncoderFamily* family : encoder_families())
        for (const std::string& name : family->architectures)
            if (name == config.architecture) return *family;
    throw_unknown("architecture", config.architecture, kBert.architectures);
}

ModelKind model_kind(const fs::path& model) {
    const ConfigReader reader(ModelDocuments(model), "config.json");
    if (const EncoderFamily* family = find_encoder_family(reader))
        return is_encoder_decoder(*family) ? ModelKind::encoder_decoder : ModelKind::encoder;
    if (find_architecture(reader) == nullptr)
        fail_unknown(reader, architecture_names() + ", " + names_of(encoder_families()));
    read_decoder_config(model);  // says what else is wrong
    return ModelKind::decoder;
}

EncoderConfig parse_encoder_config(const ConfigReader& reader) {
    std::string name;
    const EncoderFamily* family = find_encoder_family(reader, &name);
    if (family == nullptr) fail_unknown(reader, names_of(encoder_families()));
    return parse(reader, *family, name);
}

Seq2SeqConfig parse_seq2seq_config(const ConfigReader& reader, const ConfigReader* generation) {
    std::string name;
    const EncoderFamily* family = find_encoder_family(reader, &name);
    if (family == nullptr || !is_encoder_decoder(*family)) fail_unknown(reader, names_of({&kBart}));
    Seq2SeqConfig config;
    config.encoder = parse(reader, *family, name);
    config.decoder = read_stack(reader, {"d_model", "decoder_layers", "decoder_attention_heads", "decoder_ffn_dim"},
                                config.encoder.hidden_size);
    config.start_token = start_token(reader, generation, config.encoder.vocab_size);
    return config;
}

EncoderConfig read_encoder_config(const fs::path& folder) {
    return parse_encoder_config(ConfigReader(ModelDocuments(folder), "config.json"));
}

Seq2SeqConfig read_seq2seq_config(const fs::path& folder) {
    const ModelDocuments documents(folder);
    const ConfigReader config(documents, "config.json");
    if (!documents.has("generation_config.json")) return parse_seq2seq_config(config, nullptr);
    const ConfigReader generation(documents, "generation_config.json");
    return parse_seq2seq_config(config, &generation);
}

}  // namespace craft
