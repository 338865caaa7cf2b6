#include <algorithm>
#include <string>
#include <vector>

#include "core/error.h"
#include "core/files.h"
#include "core/model_files.h"
#include "tokenizer/json_tokenizer.h"
#include "tokenizer/sentencepiece_tokenizer.h"
#include "tokenizer/tokenizer.h"
#include "tokenizer/tokenizer_classes.h"
#include "tokenizer/vocabulary_files.h"

namespace craft {

namespace fs = std::filesystem;

namespace {

const char* const kTemplate = "chat_template.jinja";
const char* const kMoreTemplates = "additional_chat_templates";  // a folder
const std::vector<std::string> kFiles = {
    "tokenizer.model",   "tokenizer.json", "tokenizer_config.json", "special_tokens_map.json",
    "added_tokens.json", kTemplate,        "chat_template.json",    "vocab.txt",
    "vocab.json",        "merges.txt"};

}  // namespace

void copy_tokenizer(const fs::path& model, const fs::path& to) {
    const fs::path from = located_model(model);
    for (const fs::path& name : model_file_names(from)) {
        if (!is_tokenizer_file(*name.begin())) continue;
        ensure_folder((to / name).parent_path());
        copy_file_atomic(own_file(from, name), to / name);
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
bool is_taken_as_described(const fs::path& folder, const TokenizerDocument& document, const std::string& name) {
    if (name == "LlamaTokenizer" && document.is_object())
        for (const char* part : {"pre_tokenizer", "decoder"})
            if (document.contains(part) && has_byte_level(document[part])) return true;
    const fs::path file = folder / "config.json";
    if (!fs::exists(file)) return false;
    const TokenizerDocument json = parse_tokenizer_document(read_file(file), file.string());
    const std::string type = Component(json, file.string()).optional_text("model_type").value_or("");
    return type == "phi3" || type == "qwen2";
}

std::shared_ptr<Tokenizer> open_described(const fs::path& folder, const fs::path& file) {
    TokenizerConfig config = read_tokenizer_config(folder);
    const TokenizerDocument document = parse_tokenizer_document(read_file(file), file.string());
    const std::string name = tokenizer_class_of(folder, config);
    if (!is_taken_as_described(folder, document, name)) name_class_tokens(name, config);
    // The post-processor, or that there is none, says what stands around a text: transformers 5 leaves the switches out.
    config.add_bos.reset();
    config.add_eos.reset();
    return std::make_shared<JsonTokenizer>(document, config, file.string());
}

}  // namespace

std::shared_ptr<Tokenizer> open_tokenizer(const fs::path& given) {
    const fs::path folder = located_model(given);
    if (!fs::is_directory(folder)) throw Error(folder.string(), "a folder with tokenizer files", "no such folder");
    if (const fs::path file = folder / "tokenizer.json"; fs::exists(file)) return open_described(folder, file);
    TokenizerConfig config = read_tokenizer_config(folder);
    if (fs::exists(folder / "tokenizer.model")) return std::make_shared<SentencepieceTokenizer>(folder, config);
    const bool words = fs::exists(folder / "vocab.txt");
    const std::string name = words ? "BertTokenizer" : tokenizer_class_of(folder, config);
    name_class_tokens(name, config);
    if (words)
        return std::make_shared<JsonTokenizer>(describe_word_pieces(folder, config), config,
                                               (folder / "vocab.txt").string());
    if (fs::exists(folder / "vocab.json"))
        return std::make_shared<JsonTokenizer>(describe_byte_pairs(folder, name, config), config,
                                               (folder / "vocab.json").string() + " with merges.txt");
    throw Error(folder.string(), "tokenizer.json, tokenizer.model, vocab.txt or vocab.json with merges.txt", "none of them");
}

}  // namespace craft
