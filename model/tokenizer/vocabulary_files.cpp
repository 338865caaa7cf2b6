#include "model/tokenizer/vocabulary_files.h"

#include "core/error.h"
#include "core/files.h"
#include "core/utf8.h"
#include "model/tokenizer/unicode_classes.h"
#include "text/code_points.h"

namespace craft {

namespace {

namespace fs = std::filesystem;

std::string name_of(const TokenizerConfig& config, const std::string& name) {
    const auto found = config.named.find(name);
    return found == config.named.end() ? "" : found->second.content;
}

bool flag_of(const TokenizerConfig& config, const std::string& name, bool otherwise) {
    const auto found = config.flags.find(name);
    return found == config.flags.end() ? otherwise : found->second;
}

std::vector<std::string> lines_of(const fs::path& file) {
    const std::string text = read_file(file);
    if (const size_t bad = invalid_utf8_at(text); bad != std::string::npos)
        throw Error(file.string() + ": not UTF-8 at byte " + std::to_string(bad + 1));
    std::vector<std::string> lines;
    for (size_t at = 0; at < text.size();) {
        const size_t end = std::min(text.find('\n', at), text.size());
        lines.push_back(text.substr(at, end - at));
        if (lines.back().ends_with('\r')) lines.back().pop_back();
        at = end + 1;
    }
    return lines;
}

// The library reads vocab.txt so.
std::string without_blanks_after(const std::string& line) {
    size_t end = line.size();
    while (end > 0) {
        const CodePoint c = code_point_before(line, end);
        if (!is_white_space(c.value)) break;
        end -= c.bytes;
    }
    return line.substr(0, end);
}

uint64_t id_in(const TokenizerDocument& vocabulary, const std::string& token, const fs::path& file) {
    const auto found = vocabulary.find(token);
    if (found == vocabulary.end() || !found->is_number_unsigned())
        throw Error(file.string(), "the special token '" + token + "'", "a vocabulary without it");
    return found->get<uint64_t>();
}

TokenizerDocument merges_of(const fs::path& file) {
    TokenizerDocument merges = TokenizerDocument::array();
    for (const std::string& line : lines_of(file))
        if (!line.empty() && !line.starts_with("#version")) merges.push_back(line);
    return merges;
}

const char* const kQwenWords =
    R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)";

}  // namespace

TokenizerDocument describe_word_pieces(const fs::path& folder, const TokenizerConfig& config) {
    const fs::path file = folder / "vocab.txt";
    TokenizerDocument vocabulary = TokenizerDocument::object();
    int64_t id = 0;
    for (const std::string& line : lines_of(file)) vocabulary[without_blanks_after(line)] = static_cast<uint64_t>(id++);
    const bool lower = flag_of(config, "do_lower_case", true);
    const std::string cls = name_of(config, "cls_token"), sep = name_of(config, "sep_token");
    return {{"normalizer",
             {{"type", "BertNormalizer"},
              {"clean_text", true},
              {"handle_chinese_chars", flag_of(config, "tokenize_chinese_chars", true)},
              {"strip_accents", flag_of(config, "strip_accents", lower)},
              {"lowercase", lower}}},
            {"pre_tokenizer", {{"type", "BertPreTokenizer"}}},
            {"post_processor",
             {{"type", "BertProcessing"},
              {"cls", TokenizerDocument::array({cls, id_in(vocabulary, cls, file)})},
              {"sep", TokenizerDocument::array({sep, id_in(vocabulary, sep, file)})}}},
            {"decoder", {{"type", "WordPiece"}, {"prefix", "##"}, {"cleanup", true}}},
            {"model",
             {{"type", "WordPiece"},
              {"unk_token", name_of(config, "unk_token")},
              {"continuing_subword_prefix", "##"},
              {"max_input_chars_per_word", 100u},
              {"vocab", std::move(vocabulary)}}}};
}

TokenizerDocument describe_byte_pairs(const fs::path& folder, const std::string& tokenizer_class,
                                      const TokenizerConfig& config) {
    const fs::path file = folder / "vocab.json";
    const TokenizerDocument vocabulary = parse_tokenizer_document(read_file(file), file.string());
    if (!fs::exists(folder / "merges.txt"))
        throw Error((folder / "merges.txt").string(), "the merges of vocab.json", "no such file");
    const bool gpt2 = tokenizer_class == "GPT2Tokenizer", qwen = tokenizer_class == "Qwen2Tokenizer",
               roberta = tokenizer_class == "RobertaTokenizer" || tokenizer_class == "BartTokenizer";
    if (!gpt2 && !qwen && !roberta)
        throw Error(folder.string(),
                    "a tokenizer_class in tokenizer_config.json among GPT2Tokenizer, RobertaTokenizer, BartTokenizer, "
                    "Qwen2Tokenizer",
                    tokenizer_class.empty() ? "none" : "'" + tokenizer_class + "'");
    const TokenizerDocument byte_level = {
        {"type", "ByteLevel"}, {"add_prefix_space", flag_of(config, "add_prefix_space", false)}, {"use_regex", !qwen}};
    TokenizerDocument document = {
        {"pre_tokenizer", byte_level},
        {"decoder", byte_level},
        {"model", {{"type", "BPE"}, {"vocab", vocabulary}, {"merges", merges_of(folder / "merges.txt")}}}};
    if (roberta) {
        const std::string cls = name_of(config, "cls_token"), sep = name_of(config, "sep_token");
        document["post_processor"] = {{"type", "RobertaProcessing"},
                                      {"cls", TokenizerDocument::array({cls, id_in(vocabulary, cls, file)})},
                                      {"sep", TokenizerDocument::array({sep, id_in(vocabulary, sep, file)})}};
    }
    if (qwen) {
        document["normalizer"] = {{"type", "NFC"}};
        document["pre_tokenizer"] = {
            {"type", "Sequence"},
            {"pretokenizers",
             TokenizerDocument::array(
                 {{{"type", "Split"}, {"pattern", {{"Regex", kQwenWords}}}, {"behavior", "Isolated"}, {"invert", false}},
                  byte_level})}};
    }
    return document;
}

}  // namespace craft
