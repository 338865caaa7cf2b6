#include <algorithm>
#include <string>
#include <vector>

#include "core/error.h"
#include "core/files.h"
#include "core/log.h"
#include "core/model_files.h"
#include "model/files/model_documents.h"
#include "model/tokenizer/json_tokenizer.h"
#include "model/tokenizer/sentencepiece_tokenizer.h"
#include "model/tokenizer/tokenizer.h"
#include "model/tokenizer/tokenizer_classes.h"
#include "model/tokenizer/vocabulary_files.h"

namespace craft {

namespace fs = std::filesystem;

namespace {

const char* const kTemplate = "chat_template.jinja";
const char* const kMoreTemplates = "additional_chat_templates";  // a folder
const std::vector<std::string> kFiles = {
    "tokenizer.model",   "tokenizer.json", "tokenizer_config.json", "special_tokens_map.json",
    "added_tokens.json", kTemplate,        "chat_template.json",    "vocab.txt",
    "vocab.json",        "merges.txt",     "spiece.model"};

const char* const kT5Class = "T5Tokenizer";

}  // namespace

void copy_tokenizer(const fs::path& model, const fs::path& to) {
    const fs::path from = located_model(model);
    if (is_model_file(from)) {
        const ModelDocuments documents(from);
        for (const std::string& name : documents.made()) {
            if (!is_tokenizer_file(fs::path(name).begin()->string())) continue;
            ensure_folder((to / name).parent_path());
            write_file_atomic(to / name, documents.text(name));
        }
    } else {
        for (const fs::path& name : model_file_names(from)) {
            if (!is_tokenizer_file(*name.begin())) continue;
            ensure_folder((to / name).parent_path());
            copy_file_atomic(own_file(from, name), to / name);
        }
    }
    if (from == model || !fs::exists(model / kTemplate)) return;
    copy_file_atomic(model / kTemplate, to / kTemplate);
    fs::remove_all(to / kMoreTemplates);  // the one with tools would go before it
}

bool is_tokenizer_file(const std::string& name) {
    return name == kMoreTemplates || std::find(kFiles.begin(), kFiles.end(), name) != kFiles.end();
}

namespace {

bool has_byte_level(const TokenizerDocument& part) {
    if (part.is_object() && part.value("type", TokenizerDocument()) == "ByteLevel") return true;
    return part.is_structured() && std::any_of(part.begin(), part.end(), has_byte_level);
}

// transformers 5 takes the tokenizer that the file describes for these whatever class their folders name, and does not
// know the tokens of that class.
bool is_taken_as_described(const ModelDocuments& model, const TokenizerDocument& document, const std::string& name) {
    if (name == "LlamaTokenizer" && document.is_object())
        for (const char* part : {"pre_tokenizer", "decoder"})
            if (document.contains(part) && has_byte_level(document[part])) return true;
    if (!model.has("config.json")) return false;
    const std::string where = model.where("config.json");
    const TokenizerDocument json = parse_tokenizer_document(model.text("config.json"), where);
    const std::string type = Component(json, where).optional_text("model_type").value_or("");
    return type == "phi3" || type == "qwen2";
}

std::shared_ptr<Tokenizer> open_described(const ModelDocuments& model) {
    TokenizerConfig config = read_tokenizer_config(model);
    const std::string where = model.where("tokenizer.json");
    const TokenizerDocument document = parse_tokenizer_document(model.text("tokenizer.json"), where);
    const std::string name = tokenizer_class_of(model, config);
    if (!is_taken_as_described(model, document, name)) name_class_tokens(name, config);
    // The post-processor, or that there is none, says what surrounds a text: transformers 5 leaves the switches out.
    config.add_bos.reset();
    config.add_eos.reset();
    auto tokenizer = std::make_shared<JsonTokenizer>(document, config, where);
    if (name == kT5Class && tokenizer->id_of(sentinel(0)) < 0)
        log_warning(where + ": no sentinels (" + sentinel(0) + " ...): texts that spell them are read as text");
    return tokenizer;
}

// T5's spiece.model holds neither the sentinels nor that texts end with the end token.
std::shared_ptr<Tokenizer> open_spiece(const ModelDocuments& model, const std::string& file, TokenizerConfig config) {
    const std::string name = tokenizer_class_of(model, config);
    if (name == kT5Class) {
        name_class_tokens(name, config);
        config.add_eos = true;
        config.sentinels = config.extra_ids.value_or(kT5Sentinels);
    }
    return std::make_shared<SentencepieceTokenizer>(model.text(file), config, model.where(file));
}

}  // namespace

std::shared_ptr<Tokenizer> open_tokenizer(const fs::path& given) {
    const ModelDocuments model(given);
    if (model.has("tokenizer.json")) return open_described(model);
    TokenizerConfig config = read_tokenizer_config(model);
    for (const std::string file : {"tokenizer.model", "spiece.model"})
        if (model.has(file)) return open_spiece(model, file, std::move(config));
    const fs::path& folder = model.path();
    const bool words = model.has("vocab.txt");
    const std::string name = words ? "BertTokenizer" : tokenizer_class_of(model, config);
    name_class_tokens(name, config);
    if (words)
        return std::make_shared<JsonTokenizer>(describe_word_pieces(folder, config), config,
                                               (folder / "vocab.txt").string());
    if (model.has("vocab.json"))
        return std::make_shared<JsonTokenizer>(describe_byte_pairs(folder, name, config), config,
                                               (folder / "vocab.json").string() + " with merges.txt");
    throw Error(folder.string(), "tokenizer.json, tokenizer.model, spiece.model, vocab.txt or vocab.json with merges.txt",
                "none of them");
}

std::shared_ptr<Tokenizer> open_sentencepiece(const fs::path& file) {
    return std::make_shared<SentencepieceTokenizer>(read_file(file), TokenizerConfig{}, file.string());
}

}  // namespace craft
