#include "model/files/model_documents.h"

#include <array>

#include "core/error.h"
#include "core/files.h"
#include "core/json.h"
#include "core/model_cache.h"
#include "core/model_files.h"
#include "model/files/gguf.h"
#include "model/files/gguf_config.h"
#include "model/files/gguf_tokenizer.h"

namespace craft {

namespace fs = std::filesystem;

namespace {

std::string as_text(const Json& json) {
    return json.dump(2) + "\n";
}

bool is_of(const GgufFile& file, GgufTokenizerKind kind) {
    return gguf_tokenizer_kind(file) == kind;
}

// A file may hold a vocabulary alone.
bool has_weights(const GgufFile& file) {
    return !file.tensors().empty();
}
bool always(const GgufFile&) {
    return true;
}

bool has_text(const GgufFile& file, const char* key) {
    return file.metadata().count(key) > 0;
}

constexpr const char* kTemplate = "tokenizer.chat_template";
constexpr const char* kToolTemplate = "tokenizer.chat_template.tool_use";

// The documents of a GGUF file: when there is one, and what it says.
struct Made {
    const char* name;
    bool (*is_there)(const GgufFile&);
    std::string (*text)(const GgufFile&);
};
constexpr std::array<Made, 7> kMade = {{
    {"config.json", has_weights, [](const GgufFile& file) { return as_text(gguf_config(file)); }},
    {"generation_config.json", has_weights, [](const GgufFile& file) { return as_text(gguf_generation_config(file)); }},
    {"tokenizer_config.json", always, [](const GgufFile& file) { return as_text(gguf_tokenizer_config(file)); }},
    {"tokenizer.json", [](const GgufFile& file) { return is_of(file, GgufTokenizerKind::byte_pairs); }, gguf_tokenizer_json},
    {"tokenizer.model", [](const GgufFile& file) { return is_of(file, GgufTokenizerKind::sentencepiece); },
     gguf_sentencepiece_model},
    {"chat_template.jinja", [](const GgufFile& file) { return has_text(file, kTemplate); },
     [](const GgufFile& file) { return file.required_text(kTemplate); }},
    {"additional_chat_templates/tool_use.jinja", [](const GgufFile& file) { return has_text(file, kToolTemplate); },
     [](const GgufFile& file) { return file.required_text(kToolTemplate); }},
}};

}  // namespace

ModelDocuments::ModelDocuments(const fs::path& model) : path_(located_model(model)) {
    if (is_model_file(path_))
        gguf_ = std::make_unique<const GgufFile>(path_);
    else if (!fs::is_directory(path_))
        throw Error(path_.string(), "a model folder or a GGUF file", "nothing there", download_hint(path_));
}

ModelDocuments::~ModelDocuments() = default;

bool ModelDocuments::has(const std::string& name) const {
    if (!gguf_) return fs::exists(path_ / name);
    for (const Made& one : kMade)
        if (name == one.name) return one.is_there(*gguf_);
    return false;
}

std::string ModelDocuments::text(const std::string& name) const {
    if (!gguf_) return read_file(path_ / name);
    for (const Made& one : kMade)
        if (name == one.name && one.is_there(*gguf_)) return one.text(*gguf_);
    throw Error(path_.string(), "metadata for " + name, "none");
}

std::string ModelDocuments::where(const std::string& name) const {
    return gguf_ ? path_.string() + " (as " + name + ")" : (path_ / name).string();
}

std::vector<std::string> ModelDocuments::made() const {
    std::vector<std::string> names;
    if (!gguf_) return names;
    for (const Made& one : kMade)
        if (one.is_there(*gguf_)) names.emplace_back(one.name);
    return names;
}

}  // namespace craft
