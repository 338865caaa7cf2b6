// Attention heads that copy from the first step on: an induction circuit (Olsson et al. 2022, "In-context Learning and
// Induction Heads") written into a fresh decoder's weights. A small model finds it by itself only after hundreds of millions
// of tokens; trained from here, it learns when to copy instead.
#pragma once

#include "core/rng.h"
#include "model/decoder.h"

namespace craft {

// Writes the circuit into layers 0 and 1 of a decoder fresh from Decoder::initialise:
// - the first half of the hidden dimensions holds a token's embedding, the last of them one constant; the second half of all
//   embeddings is cleared;
// - layer 0: half of the heads look one token back and write that token's embedding to the second half;
// - layer 1: half of the heads look for tokens whose second half resembles the current token's first half and write the
//   embedding found; the other half of the heads takes the current token's own embedding away.
// After that, a token that followed an earlier occurrence of the current one is what the tied head predicts. Throws
// std::logic_error unless there are two layers, as many key/value heads as heads, heads * head_dim = hidden_size, an even
// number of heads and tied embeddings.
void plant_copying_heads(Decoder& decoder, Rng& rng);

}  // namespace craft
