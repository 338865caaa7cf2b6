// Tokenizers of the sentencepiece library: our own and those of Llama folders. Inside tokenizer/ only.
#pragma once

#include <sentencepiece_processor.h>

#include <filesystem>
#include <set>

#include "core/json.h"
#include "tokenizer/special_tokens.h"
#include "tokenizer/tokenizer.h"

namespace craft {

// The model's own normalisation and leading blank are honoured. Control symbols, the unknown symbol and the added tokens of
// tokenizer_config.json are special. A model without normalisation (ours) gives back every UTF-8 text as it was.
class SentencepieceTokenizer final : public Tokenizer {
public:
    // Reads tokenizer.model and, if it is there, tokenizer_config.json. Throws Error naming the file.
    explicit SentencepieceTokenizer(const std::filesystem::path& folder);

    std::vector<int64_t> encode_around(std::string_view text, const std::vector<ByteRange>& literal) const override;
    std::string decode(const std::vector<int64_t>& ids, bool keep_special) const override;
    int64_t vocabulary_size() const override { return size_; }
    int64_t id_of(std::string_view piece) const override;
    std::vector<int64_t> leading_tokens() const override { return leading_; }
    std::vector<int64_t> trailing_tokens() const override { return trailing_; }
    int64_t end_token() const override { return end_; }
    // A run of byte tokens: the next byte may be of the same character.
    size_t unsettled_tokens(const std::vector<int64_t>& ids, bool keep_special) const override;

private:
    void collect_special();
    void read_config(const std::filesystem::path& file);
    void read_added_tokens(const Json& added, const std::string& where);
    void encode_plain(std::string_view text, std::vector<int64_t>& ids) const;

    sentencepiece::SentencePieceProcessor processor_;
    SpecialTokens special_;  // recognised only when asked for
    SpecialTokens always_;   // added tokens that are not special: recognised in every text
    std::set<int64_t> special_ids_;
    std::vector<int64_t> leading_, trailing_;
    std::vector<int64_t> blank_bytes_;  // the bytes of U+2581 as tokens; empty: the model itself says what becomes of it
    int64_t size_ = 0, end_ = -1;
};

}  // namespace craft
