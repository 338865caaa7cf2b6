// Tokenizers of the sentencepiece library: our own and those of Llama folders. Inside model/tokenizer/ only.
#pragma once

#include <sentencepiece_processor.h>

#include "model/tokenizer/added_tokens.h"
#include "model/tokenizer/tokenizer.h"
#include "model/tokenizer/tokenizer_config.h"

namespace craft {

// The model's own normalisation and leading blank are honoured: every part of a text between special and added tokens is
// what the library makes of it. Control symbols, the unknown symbol and the tokens that the configuration names or adds are
// tokens wherever they are spelled. Our own models give back every UTF-8 text as it was.
class SentencepieceTokenizer final : public Tokenizer {
public:
    // Of the bytes of a tokenizer.model. Throws Error naming `where`, or the configuration.
    SentencepieceTokenizer(const std::string& model, const TokenizerConfig& config, const std::string& where);

    std::vector<int64_t> encode_around(std::string_view text, const std::vector<ByteRange>& literal) const override;
    // As the library decodes all ids at once: a leading blank goes at the beginning of the text only.
    std::string decode(const std::vector<int64_t>& ids, bool keep_special) const override;
    int64_t vocabulary_size() const override { return size_; }
    int64_t id_of(std::string_view piece) const override;
    std::vector<int64_t> leading_tokens() const override { return leading_; }
    std::vector<int64_t> trailing_tokens() const override { return trailing_; }
    int64_t end_token() const override { return end_; }
    std::optional<std::string> bytes_of(int64_t id) const override;
    // A run of byte tokens: the next byte may be of the same character.
    size_t unsettled_tokens(const std::vector<int64_t>& ids, bool keep_special) const override;

private:
    void add_tokens(const TokenizerConfig& config);
    void read_ends(const TokenizerConfig& config);
    void find_blank_bytes(const std::string& where);
    void encode_plain(std::string_view text, std::vector<int64_t>& ids) const;
    std::string decode_run(std::vector<int> run, bool at_start) const;

    sentencepiece::SentencePieceProcessor processor_;
    AddedTokens added_;
    std::vector<int64_t> leading_, trailing_;
    std::vector<int64_t> blank_bytes_;  // the bytes of U+2581 as tokens; empty: the library says what becomes of it
    std::string unknown_text_;          // what the library makes of an unknown token
    int64_t size_ = 0, end_ = -1;
};

}  // namespace craft
