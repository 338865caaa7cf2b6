#include "model/tokenizer/train_tokenizer.h"

#include <sentencepiece_trainer.h>

#include <algorithm>
#include <array>
#include <regex>
#include <unordered_map>
#include <vector>

#include "core/error.h"
#include "core/files.h"
#include "core/json.h"
#include "core/utf8.h"

namespace craft {

namespace fs = std::filesystem;

namespace {

const std::vector<std::string> kSpecialTokens = {"<unk>", "<s>", "</s>", "<pad>", "<|im_start|>", "<|im_end|>"};

// The trainer's own marks: a blank, and an unknown piece, which it takes no line with.
const std::string kBlank = "\u2581", kUnknown = "\u2585";

std::string with_blanks_marked(const std::string& text) {
    std::string out;
    for (const char c : text) out += c == ' ' ? kBlank : std::string(1, c);
    return out;
}

// The texts in lines: the newline is a token of its own, and the trainer works line by line.
class Lines : public sentencepiece::SentenceIterator {
public:
    explicit Lines(const TextSource& texts) {
        for (int64_t number = 1; const auto text = texts(); ++number) {
            if (const size_t bad = invalid_utf8_at(*text); bad != std::string::npos)
                throw Error("text " + std::to_string(number), "UTF-8", "a bad byte at " + std::to_string(bad));
            for (size_t begin = 0; begin < text->size();) {
                const size_t newline = text->find('\n', begin), mark = text->find(kUnknown, begin);
                const size_t end = std::min({newline, mark, text->size()});
                if (end > begin) add(text->substr(begin, end - begin));
                begin = end + (end == mark ? kUnknown.size() : 1);
            }
        }
    }
    bool done() const override { return next_ >= lines_.size(); }
    void Next() override { ++next_; }
    const std::string& value() const override { return lines_[next_]; }
    sentencepiece::util::Status status() const override { return {}; }
    bool empty() const { return lines_.empty(); }
    size_t longest() const { return longest_; }
    // The printable ASCII that occurs outside `tokens`: however rare, never in bytes. (The trainer cuts tokens out, and ends
    // the process over a required character that it then does not see.)
    std::string ascii(std::vector<std::string> tokens) const {
        for (std::string& token : tokens) token = with_blanks_marked(token);
        std::array<bool, 128> seen{};
        for (const std::string& written : lines_) {
            const std::string line = with_blanks_marked(written);
            for (size_t i = 0; i < line.size();) {
                const size_t token = longest_at(line, i, tokens);
                if (token == 0 && static_cast<unsigned char>(line[i]) < 128)
                    seen[static_cast<unsigned char>(line[i])] = true;
                i += std::max<size_t>(token, 1);
            }
        }
        std::string out;
        for (char c = '!'; c <= '~'; ++c)
            if (seen[static_cast<unsigned char>(c)]) out += c;
        return out;
    }

private:
    // Bytes of the longest token that stands at `at`; 0 if none does.
    static size_t longest_at(const std::string& line, size_t at, const std::vector<std::string>& tokens) {
        size_t longest = 0;
        for (const std::string& token : tokens)
            if (token[0] == line[at] && token.size() > longest && line.compare(at, token.size(), token) == 0)
                longest = token.size();
        return longest;
    }
    void add(std::string line) {
        longest_ = std::max(longest_, line.size());
        lines_.push_back(std::move(line));
    }
    std::vector<std::string> lines_;
    size_t next_ = 0, longest_ = 0;
};

[[noreturn]] void explain(const std::string& message, int64_t asked) {
    std::smatch found;
    const std::string got = std::to_string(asked);
    // First, for it names vocab_size(), too.
    if (std::regex_search(message, found, std::regex("smaller than required_chars.*vs ([0-9]+)")))
        throw Error("--vocab-size", "at least " + found[1].str() + " for the characters of these texts", got,
                    "give a larger vocabulary");
    if (std::regex_search(message, found, std::regex("too high.*<= ?([0-9]+)")))
        throw Error("--vocab-size", "at most " + found[1].str() + " for these texts", got,
                    "give more text or a smaller vocabulary");
    if (message.find("too high") != std::string::npos || message.find("vocab_size()") != std::string::npos)
        throw Error("--vocab-size", "fewer tokens than these texts can make", got, "give more text or a smaller vocabulary");
    std::string line = message;
    std::replace(line.begin(), line.end(), '\n', ' ');
    throw Error("tokenizer train: sentencepiece: " + line);
}

// Sentencepiece reads a list as one line of comma-separated values.
std::string symbol_list(const std::vector<std::string>& symbols) {
    std::string out = "\n";
    for (const std::string& symbol : symbols) {
        out += ",\"";
        for (const char c : with_blanks_marked(symbol)) out += c == '"' ? "\"\"" : std::string(1, c);
        out += '"';
    }
    return out;
}

std::string train_model(const TextSource& texts, const TokenizerTraining& options) {
    if (options.vocabulary_size < kSmallestVocabulary || options.vocabulary_size > kLargestVocabulary)
        throw Error("--vocab-size",
                    std::to_string(kSmallestVocabulary) + " to " + std::to_string(kLargestVocabulary) +
                        " (256 bytes and the special tokens are always there)",
                    std::to_string(options.vocabulary_size));
    if (const std::string problem = symbols_problem(options.symbols); !problem.empty()) throw Error("--symbols: " + problem);
    Lines lines(texts);
    std::vector<std::string> tokens = kSpecialTokens;
    tokens.insert(tokens.end(), options.symbols.begin(), options.symbols.end());
    if (lines.empty()) throw Error("tokenizer train", "texts to train on", "none that holds a character");
    const std::unordered_map<std::string, std::string> settings = {
        {"model_type", options.model == TokenizerModel::bpe ? "bpe" : "unigram"},
        {"vocab_size", std::to_string(options.vocabulary_size)},
        {"normalization_rule_name", "identity"},
        {"remove_extra_whitespaces", "false"},
        {"add_dummy_prefix", "false"},
        {"byte_fallback", "true"},
        {"required_chars", lines.ascii(tokens)},
        {"split_digits", "true"},
        {"allow_whitespace_only_pieces", "true"},
        {"unk_id", "0"},
        {"bos_id", "1"},
        {"eos_id", "2"},
        {"pad_id", "3"},
        // Control symbols never match inside a text, so that a spelled <|im_end|> cannot end a turn.
        {"control_symbols", "<|im_start|>,<|im_end|>"},
        {"user_defined_symbols", symbol_list(options.symbols)},
        {"max_sentence_length",
         std::to_string(std::max<size_t>(lines.longest() + 1, 10))},  // longer ones would be dropped without a word
        {"num_threads", "4"},                                         // part of the result with unigram: not the machine's
        {"minloglevel", "2"},
    };
    std::string model;
    const auto status = sentencepiece::SentencePieceTrainer::Train(settings, &lines, &model);
    if (!status.ok()) explain(std::string(status.message()), options.vocabulary_size);
    return model;
}

}  // namespace

std::string symbols_problem(const std::vector<std::string>& symbols) {
    std::vector<std::string> taken = kSpecialTokens;
    taken.emplace_back("\n");  // a token of its own anyway
    for (const std::string& symbol : symbols) {
        if (symbol.empty()) return "expected spellings of one character or more, got an empty one";
        if (invalid_utf8_at(symbol) != std::string::npos) return "expected UTF-8, got other bytes";
        for (const std::string& mark : {kBlank, kUnknown, std::string("\t"), std::string(1, '\0')})
            if (symbol.find(mark) != std::string::npos)
                return "expected spellings without tabs, zero bytes, U+2581 and U+2585, got '" + shortened(symbol, 80) + "'";
        if (std::find(taken.begin(), taken.end(), symbol) != taken.end())
            return "expected spellings that are no tokens yet, got '" + (symbol == "\n" ? "\\n" : shortened(symbol, 80)) +
                   "' (special, or given twice)";
        taken.push_back(symbol);
    }
    return "";
}

void train_tokenizer(const TextSource& texts, const TokenizerTraining& options, const fs::path& folder) {
    ensure_folder(folder);
    const std::string jinja = read_file(share_folder() / "chat_templates" / "chatml.jinja");
    const std::string model = train_model(texts, options);
    const Json special = {{"bos_token", "<s>"}, {"eos_token", "<|im_end|>"}, {"unk_token", "<unk>"}, {"pad_token", "<pad>"}};
    Json added = Json::object();
    int64_t id = 0;
    for (const std::string& token : kSpecialTokens)
        added[std::to_string(id++)] = {{"content", token}, {"special", true},     {"lstrip", false},
                                       {"rstrip", false},  {"normalized", false}, {"single_word", false}};
    Json config = {{"tokenizer_class", "LlamaTokenizer"},
                   {"add_bos_token", false},
                   {"add_eos_token", false},
                   {"add_prefix_space", false},
                   {"legacy", false},
                   {"clean_up_tokenization_spaces", false},
                   {"blank_mark_as_bytes", true},
                   {"added_tokens_decoder", added}};
    config.update(special);
    write_file_atomic(folder / "chat_template.jinja", jinja);
    write_json_file(folder / "special_tokens_map.json", special);
    write_json_file(folder / "tokenizer_config.json", config);
    write_file_atomic(folder / "tokenizer.model", model);
}

}  // namespace craft
