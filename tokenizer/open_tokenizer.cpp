#include <algorithm>
#include <string>
#include <vector>

#include "core/error.h"
#include "core/files.h"
#include "tokenizer/json_tokenizer.h"
#include "tokenizer/sentencepiece_tokenizer.h"
#include "tokenizer/tokenizer.h"
#include "tokenizer/tokenizer_classes.h"
#include "tokenizer/vocabulary_files.h"

namespace craft {

namespace fs = std::filesystem;

namespace {

const char* const kMoreTemplates = "additional_chat_templates";  // a folder
const std::vector<std::string> kFiles = {
    "tokenizer.model",   "tokenizer.json",      "tokenizer_config.json", "special_tokens_map.json",
    "added_tokens.json", "chat_template.jinja", "chat_template.json",    "vocab.txt",
    "vocab.json",        "merges.txt"};

}  // namespace

void copy_tokenizer(const fs::path& from, const fs::path& to) {
    for (const std::string& name : kFiles)
        if (fs::exists(from / name)) write_file_atomic(to / name, read_file(from / name));
    if (!fs::is_directory(from / kMoreTemplates)) return;
    for (const auto& entry : fs::recursive_directory_iterator(from / kMoreTemplates)) {
        if (!entry.is_regular_file()) continue;
        const fs::path copy = to / fs::relative(entry.path(), from);
        ensure_folder(copy.parent_path());
        write_file_atomic(copy, read_file(entry.path()));
    }
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

std::shared_ptr<Tokenizer> open_tokenizer(const fs::path& folder) {
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
