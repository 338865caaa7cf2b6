#include "tokenizer/train_tokenizer.h"

#include <sentencepiece_trainer.h>

#include <algorithm>
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

constexpr int64_t kSpecialTokens = 6, kBytes = 256;

// Lines without their newlines: the newline is a token of its own, and the trainer works line by line.
class Lines : public sentencepiece::SentenceIterator {
public:
    explicit Lines(const TextSource& texts) {
        for (int64_t number = 1; const auto text = texts(); ++number) {
            if (const size_t bad = invalid_utf8_at(*text); bad != std::string::npos)
                throw Error("text " + std::to_string(number), "UTF-8", "a bad byte at " + std::to_string(bad));
            for (size_t begin = 0; begin <= text->size();) {
                const size_t end = std::min(text->find('\n', begin), text->size());
                if (end > begin) add(text->substr(begin, end - begin));
                begin = end + 1;
            }
        }
    }
    bool done() const override { return next_ >= lines_.size(); }
    void Next() override { ++next_; }
    const std::string& value() const override { return lines_[next_]; }
    sentencepiece::util::Status status() const override { return {}; }
    bool empty() const { return lines_.empty(); }
    size_t longest() const { return longest_; }
    // The printable ASCII that occurs: however rare, never in bytes.
    std::string ascii() const {
        std::string out;
        for (char c = '!'; c <= '~'; ++c)
            if (std::any_of(lines_.begin(), lines_.end(), [&](const auto& l) { return l.find(c) != std::string::npos; }))
                out += c;
        return out;
    }

private:
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
    if (std::regex_search(message, found, std::regex("too high.*<= ?([0-9]+)")))
        throw Error("--vocab-size", "at most " + found[1].str() + " for these texts", got,
                    "give more text or a smaller vocabulary");
    if (message.find("too high") != std::string::npos || message.find("vocab_size()") != std::string::npos)
        throw Error("--vocab-size", "fewer tokens than these texts can make", got, "give more text or a smaller vocabulary");
    if (std::regex_search(message, found, std::regex("smaller than required_chars.*vs ([0-9]+)")))
        throw Error("--vocab-size", "at least " + found[1].str() + " for the characters of these texts", got);
    std::string line = message;
    std::replace(line.begin(), line.end(), '\n', ' ');
    throw Error("tokenizer train: sentencepiece: " + line);
}

// Sentencepiece reads a list as one line of comma-separated values, and its own mark stands for a space.
std::string symbol_list(const std::vector<std::string>& symbols) {
    std::string out = "\n";
    for (const std::string& symbol : symbols) {
        out += ",\"";
        for (const char c : symbol) out += c == '"' ? "\"\"" : c == ' ' ? "\u2581" : std::string(1, c);
        out += '"';
    }
    return out;
}

std::string train_model(const TextSource& texts, const TokenizerTraining& options) {
    const int64_t least = kSpecialTokens + kBytes + 2;
    if (options.vocabulary_size < least || options.vocabulary_size > 1'000'000)
        throw Error("--vocab-size",
                    std::to_string(least) + " to 1000000 (256 bytes and the special tokens are always there)",
                    std::to_string(options.vocabulary_size));
    Lines lines(texts);
    if (lines.empty()) throw Error("tokenizer train", "texts to train on", "none that holds a character");
    const std::unordered_map<std::string, std::string> settings = {
        {"model_type", options.model == TokenizerModel::bpe ? "bpe" : "unigram"},
        {"vocab_size", std::to_string(options.vocabulary_size)},
        {"normalization_rule_name", "identity"},
        {"remove_extra_whitespaces", "false"},
        {"add_dummy_prefix", "false"},
        {"byte_fallback", "true"},
        {"required_chars", lines.ascii()},
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

void train_tokenizer(const TextSource& texts, const TokenizerTraining& options, const fs::path& folder) {
    ensure_folder(folder);
    const std::string jinja = read_file(share_folder() / "chat_templates" / "chatml.jinja");
    const std::string model = train_model(texts, options);
    const Json special = {{"bos_token", "<s>"}, {"eos_token", "<|im_end|>"}, {"unk_token", "<unk>"}, {"pad_token", "<pad>"}};
    Json added = Json::object();
    int64_t id = 0;
    for (const std::string token : {"<unk>", "<s>", "</s>", "<pad>", "<|im_start|>", "<|im_end|>"})
        added[std::to_string(id++)] = {{"content", token}, {"special", true},     {"lstrip", false},
                                       {"rstrip", false},  {"normalized", false}, {"single_word", false}};
    Json config = {{"tokenizer_class", "LlamaTokenizer"}, {"add_bos_token", false}, {"add_eos_token", false},
                   {"add_prefix_space", false},           {"legacy", false},        {"clean_up_tokenization_spaces", false},
                   {"added_tokens_decoder", added}};
    config.update(special);
    write_file_atomic(folder / "chat_template.jinja", jinja);
    write_json_file(folder / "special_tokens_map.json", special);
    write_json_file(folder / "tokenizer_config.json", config);
    write_file_atomic(folder / "tokenizer.model", model);
}

}  // namespace craft
