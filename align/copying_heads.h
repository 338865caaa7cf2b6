// Attention heads that copy from the first step on: an induction circuit (Olsson et al. 2022, "In-context Learning and
// Induction Heads") written into a fresh decoder's weights. A small model finds it by itself only after hundreds of millions
// of tokens; trained from here, it learns when to copy instead.
#pragma once

#include <vector>

#include "core/rng.h"
#include "model/decoder/decoder.h"
#include "tokenizer/tokenizer.h"

namespace craft {

// Two tokens whose spellings differ by a leading blank alone: " turn" and "turn".
struct SpacePair {
    int64_t with_blank = 0, without = 0;
};

// The pairs of a vocabulary, by the tokens' spellings.
std::vector<SpacePair> space_pairs_of(const Tokenizer& tokenizer);

// Writes the circuit into layers 0 and 1 of a decoder fresh from Decoder::initialise:
// - the first half of the hidden dimensions holds a token's embedding, the last of them one constant; the second half of all
//   embeddings is cleared; of `space_pairs`, all is the same but the last dimension before the constant, which tells them
//   apart, so that what was read behind a blank can be found and written behind a quotation mark;
// - layer 0: the first head of each key/value group looks one token back and writes that token's embedding to the second
// half;
// - layer 1: the first head of each group looks for tokens whose second half resembles the current token's first half and
//   writes the embedding found; the second head takes the current token's own embedding away.
// The tied head then predicts a token that followed an earlier occurrence of the current one. Throws std::logic_error unless
// there are two layers, two heads for each key/value head, heads * head_dim = hidden_size, and tied embeddings.
void write_copying_heads(Decoder& decoder, Rng& rng, const std::vector<SpacePair>& space_pairs = {});

}  // namespace craft
