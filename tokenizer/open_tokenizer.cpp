#include "core/error.h"
#include "core/files.h"
#include "tokenizer/json_tokenizer.h"
#include "tokenizer/sentencepiece_tokenizer.h"
#include "tokenizer/tokenizer.h"
#include "tokenizer/vocabulary_files.h"

namespace craft {

namespace fs = std::filesystem;

void copy_tokenizer(const fs::path& from, const fs::path& to) {
    for (const char* name : {"tokenizer.model", "tokenizer.json", "tokenizer_config.json", "special_tokens_map.json",
                             "added_tokens.json", "chat_template.jinja", "chat_template.json", "vocab.txt", "vocab.json",
                             "merges.txt"})
        if (fs::exists(from / name)) fs::copy_file(from / name, to / name, fs::copy_options::overwrite_existing);
    if (const char* more = "additional_chat_templates"; fs::is_directory(from / more))
        fs::copy(from / more, to / more, fs::copy_options::recursive | fs::copy_options::overwrite_existing);
}

std::shared_ptr<Tokenizer> open_tokenizer(const fs::path& folder) {
    if (!fs::is_directory(folder)) throw Error(folder.string(), "a folder with tokenizer files", "no such folder");
    if (const fs::path file = folder / "tokenizer.json"; fs::exists(file))
        return std::make_shared<JsonTokenizer>(parse_tokenizer_document(read_file(file), file.string()),
                                               read_tokenizer_config(folder), file.string());
    if (fs::exists(folder / "tokenizer.model")) return std::make_shared<SentencepieceTokenizer>(folder);
    const TokenizerConfig config = read_tokenizer_config(folder);
    if (fs::exists(folder / "vocab.txt"))
        return std::make_shared<JsonTokenizer>(describe_word_pieces(folder, config), config,
                                               (folder / "vocab.txt").string());
    if (fs::exists(folder / "vocab.json"))
        return std::make_shared<JsonTokenizer>(describe_byte_pairs(folder, config), config,
                                               (folder / "vocab.json").string());
    throw Error(folder.string(), "tokenizer.json, tokenizer.model, vocab.txt or vocab.json with merges.txt", "none of them");
}

}  // namespace craft
