// Vectors of words: what an encoder makes of a text's words beside those of its revision, both read as one pair.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "model/encoder/encoder.h"
#include "model/tokenizer/tokenizer.h"

namespace craft {

// The words of two texts as tokens: those of the first text, then those of the second.
struct PairTokens {
    std::vector<std::vector<int64_t>> words;  // tokens of each; a word of nothing but control characters has none
    size_t first = 0;                         // this many words are of the first text
};

// What an encoder reads at once: all of a pair, or of a pair that is too long a window of each text, and which of the tokens
// are whose. Tokens that are there for their context alone, and those around the texts, are nobody's (-1).
struct PairWindow {
    EncoderRow row;
    std::vector<int64_t> owners;  // of each token, the index of its word in PairTokens::words
};

// A pair within `max_tokens` is one window. Of a longer one window k of K holds the k-th of K parts of each text, and as
// much around it as there is room for: a word's vector comes from the window in whose part it stands, so that it has read
// what is around it in its own text and what is about there in the other. A word of more tokens than a quarter of a text's
// room gives that many. Throws Error if there is no room for a token of both texts and those around them.
std::vector<PairWindow> pair_windows(const Tokenizer& tokenizer, const PairTokens& pair, int64_t max_tokens);

struct WordStates {
    at::Tensor vectors;    // float32 [words, hidden] on the CPU: the mean of a word's tokens; 0 for a word without any
    at::Tensor token_sum;  // float64 [hidden] on the CPU: of all tokens that were read, special ones too
    int64_t tokens = 0;    // as many
};

class WordEncoder {
public:
    // `layer` counts hidden states from the end where it is negative (-1 is the last) and else from the embeddings, which
    // are 0. Throws Error on a layer that the encoder does not have, a tokenizer of more tokens than it or that puts none
    // around a text, and on an encoder that does not tell two texts apart by token types.
    WordEncoder(Encoder encoder, std::shared_ptr<const Tokenizer> tokenizer, int64_t layer);

    // Each word is read by itself; what spells a special token in it stays text.
    PairTokens read(const std::vector<std::string>& first, const std::vector<std::string>& second) const;
    int64_t tokens_of(const PairTokens& pair) const;
    // In the pairs' order, in passes of this many tokens or, if it is longer, one window. No digit depends on what is asked
    // together with a pair beyond what the encoder's products do. Throws Error where states are not finite numbers.
    std::vector<WordStates> states(const std::vector<const PairTokens*>& pairs, int64_t batch_tokens) const;
    int64_t hidden_size() const { return encoder_.config().hidden_size; }

private:
    Encoder encoder_;
    std::shared_ptr<const Tokenizer> tokenizer_;
    int64_t around_ = 0;  // tokens of a pair that are of neither text
};

}  // namespace craft
