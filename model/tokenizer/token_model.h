// Models of tokenizer.json: words to tokens. Inside model/tokenizer/ only.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "model/tokenizer/component.h"
#include "model/tokenizer/vocabulary.h"

namespace craft {

class TokenModel {
public:
    virtual ~TokenModel() = default;
    // Appends the tokens of a word, well-formed UTF-8. The same word always has the same tokens. Throws Error if it has none
    // in this vocabulary (a character that is unknown, and no token for the unknown).
    virtual void encode(std::string_view word, std::vector<int64_t>& ids) const = 0;
    const Vocabulary& vocabulary() const { return vocabulary_; }

protected:
    Vocabulary vocabulary_;
};

// BPE, Unigram, WordLevel, WordPiece; files of old have no type and are told apart by their fields. Throws Error naming the
// component: another type, a field that is absent or of the wrong type, merges of tokens that are not in the vocabulary,
// dropout.
std::unique_ptr<TokenModel> make_token_model(const Component& component);

// Each kind lives in a file of its own.
std::unique_ptr<TokenModel> make_bpe(const Component& component);
std::unique_ptr<TokenModel> make_unigram(const Component& component);
std::unique_ptr<TokenModel> make_word_level(const Component& component);
std::unique_ptr<TokenModel> make_word_piece(const Component& component);

// A vocabulary field of spellings and their ids.
void read_vocabulary(const Component& component, Vocabulary& vocabulary);
// "<0x0A>", the token of a byte that no other token has.
std::string byte_token(unsigned char byte);

}  // namespace craft
