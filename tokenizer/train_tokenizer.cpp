#include "tokenizer/train_tokenizer.h"

#include <sentencepiece_processor.h>
#include <sentencepiece_trainer.h>

#include <algorithm>
#include <array>
#include <bit>
#include <map>
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
    const std::vector<std::string>& all() const { return lines_; }
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

// The words of the texts, each with the blank behind it as a line.
TextSource words_of(const TextSource& texts) {
    return [&texts] {
        std::optional<std::string> text = texts(), words;
        if (!text) return words;
        words.emplace();
        for (const char c : *text) *words += c == ' ' ? " \n" : std::string(1, c);
        return words;
    };
}

// A field of a serialised protocol buffer: its tag, its length, its bytes.
std::string field(char tag, const std::string& bytes) {
    std::string out(1, tag);
    for (size_t length = bytes.size(); true; length >>= 7) {
        out += static_cast<char>((length & 127) | (length > 127 ? 128 : 0));
        if (length <= 127) break;
    }
    return out + bytes;
}

// ModelProto.pieces of one ordinary piece: {piece = 1, score = 2}. Appended to a serialised model, it joins the others.
std::string serialised_piece(const std::string& piece, float score) {
    std::string fixed(1, 0x15);
    for (int byte = 0; byte < 4; ++byte) fixed += static_cast<char>(std::bit_cast<uint32_t>(score) >> (8 * byte));
    return field(0x0A, field(0x0A, piece) + fixed);
}

// The model with up to `most` further pieces: those that begin words, the frequent ones first, behind a blank. Their scores
// are below all others, so that a blank joins a word when the word's own pieces are found.
std::string with_blank_forms(std::string model, const std::vector<std::string>& words, int64_t most) {
    sentencepiece::SentencePieceProcessor processor;
    if (const auto status = processor.LoadFromSerializedProto(model); !status.ok())
        explain(std::string(status.message()), most);
    std::map<std::string, int64_t> counts;
    for (const std::string& word : words) ++counts[word];
    std::map<int, int64_t> begins;
    for (const auto& [word, count] : counts)
        if (const auto ids = processor.EncodeAsIds(word); !ids.empty()) begins[ids.front()] += count;
    std::vector<std::pair<int64_t, std::string>> found;
    float lowest = 0;
    for (int id = 0; id < processor.GetPieceSize(); ++id) {
        lowest = std::min(lowest, processor.GetScore(id));
        const std::string& piece = processor.IdToPiece(id);
        const bool is_plain = !processor.IsByte(id) && !processor.IsControl(id) && !processor.IsUnknown(id);
        const bool is_digit = piece.size() == 1 && piece[0] >= '0' && piece[0] <= '9';
        if (begins.contains(id) && is_plain && !is_digit && processor.GetScore(id) < 0 &&
            processor.IsUnknown(processor.PieceToId(kBlank + piece)))
            found.emplace_back(-begins[id], piece);
    }
    std::sort(found.begin(), found.end());
    if (static_cast<int64_t>(found.size()) > most) found.resize(static_cast<size_t>(most));
    for (const auto& [count, piece] : found) model += serialised_piece(kBlank + piece, lowest -= 1);
    return model;
}

std::string train_model(const TextSource& texts, const TokenizerTraining& options) {
    if (options.vocabulary_size < kSmallestVocabulary || options.vocabulary_size > kLargestVocabulary)
        throw Error("--vocab-size",
                    std::to_string(kSmallestVocabulary) + " to " + std::to_string(kLargestVocabulary) +
                        " (256 bytes and the special tokens are always there)",
                    std::to_string(options.vocabulary_size));
    if (const std::string problem = symbols_problem(options.symbols); !problem.empty()) throw Error("--symbols: " + problem);
    if (options.words_alike && options.model != TokenizerModel::bpe)
        throw Error("tokenizer train", "bpe where words are to be alike", "unigram");
    Lines lines(options.words_alike ? words_of(texts) : texts);
    const int64_t learned = options.words_alike ? options.vocabulary_size * 5 / 8 : options.vocabulary_size;
    std::vector<std::string> tokens = kSpecialTokens;
    tokens.insert(tokens.end(), options.symbols.begin(), options.symbols.end());
    if (lines.empty()) throw Error("tokenizer train", "texts to train on", "none that holds a character");
    const std::unordered_map<std::string, std::string> settings = {
        {"model_type", options.model == TokenizerModel::bpe ? "bpe" : "unigram"},
        {"vocab_size", std::to_string(learned)},
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
    if (!status.ok()) explain(std::string(status.message()), learned);
    if (!options.words_alike) return model;
    return with_blank_forms(std::move(model), lines.all(), options.vocabulary_size - learned);
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
