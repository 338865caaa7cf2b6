// Text to token ids and back.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace craft {

// Bytes [begin, end) of a text.
struct ByteRange {
    size_t begin = 0, end = 0;
};

class Tokenizer {
public:
    virtual ~Tokenizer() = default;
    // Special tokens spelled in the text become their ids, but not where the spelling touches a range of `literal`
    // (ascending, apart): that stays text. Nothing is added at either end.
    virtual std::vector<int64_t> encode_around(std::string_view text, const std::vector<ByteRange>& literal) const = 0;
    // The same with all of the text literal, or with `allow_special` none of it.
    std::vector<int64_t> encode(std::string_view text, bool allow_special) const {
        return encode_around(text, allow_special ? std::vector<ByteRange>{} : std::vector<ByteRange>{{0, text.size()}});
    }
    // Bytes that are not whole characters become U+FFFD. Special tokens are kept or left out.
    virtual std::string decode(const std::vector<int64_t>& ids, bool keep_special) const = 0;
    virtual int64_t vocabulary_size() const = 0;
    virtual int64_t id_of(std::string_view piece) const = 0;             // -1 if it is not a token
    virtual std::vector<int64_t> leading_tokens() const = 0;             // what plain strings start with (BOS), often none
    virtual std::vector<int64_t> trailing_tokens() const { return {}; }  // what plain strings end with (BERT's [SEP])
    virtual int64_t end_token() const = 0;  // appended to plain-string training rows; -1 if the folder names none
    // The bytes that a token adds to a text that has begun; they need not be whole characters. Absent: a special token or
    // none, or one whose text depends on its neighbours.
    virtual std::optional<std::string> bytes_of(int64_t) const { return std::nullopt; }
    // How many of the last tokens may read otherwise when more follow (bytes of a character that is not whole): for
    // StreamDecoder.
    virtual size_t unsettled_tokens(const std::vector<int64_t>&, bool) const { return 0; }
};

// Opens the tokenizer of a model, a folder or a GGUF file: tokenizer.json, else tokenizer.model or spiece.model
// (sentencepiece), else vocab.txt (BERT's) or vocab.json with merges.txt (GPT-2's), with what tokenizer_config.json and
// special_tokens_map.json say beside it. Throws Error naming file, component and reason.
std::shared_ptr<Tokenizer> open_tokenizer(const std::filesystem::path& model);
// That of one sentencepiece file alone (T5's spiece.model), without what a folder may say beside it. Throws Error likewise.
std::shared_ptr<Tokenizer> open_sentencepiece(const std::filesystem::path& file);

// Copies the files of a tokenizer and its chat template, those that are there, from a model to a folder; of a GGUF file it
// writes those that stand for its metadata. Throws
// Error for links out of the folder, as own_file() of core/model_files.h does.
void copy_tokenizer(const std::filesystem::path& model, const std::filesystem::path& to);
bool is_tokenizer_file(const std::string& name);  // of the names that copy_tokenizer copies

}  // namespace craft
