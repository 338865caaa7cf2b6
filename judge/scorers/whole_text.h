// Texts as models of whole texts read them (BERT, BART), cut to what such a model has room for.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/tokenizer/tokenizer.h"
#include "text/sentences.h"

namespace craft {

struct WholeText {
    std::vector<int64_t> ids;    // the tokenizer's leading tokens, the text's own, its trailing ones
    std::vector<int64_t> types;  // of a pair: 0 for the first text, 1 for the second; of one text empty
    bool cut = false;            // there were more of its own than there is room for
    bool empty = false;          // it has none of its own; of a pair: neither text has
};

// Special tokens that the text spells are those. What is too much at the end is left out.
WholeText read_whole(const Tokenizer& tokenizer, const std::string& text, int64_t max_tokens);
// Leading tokens, the first text, trailing tokens, the second, trailing tokens: BERT's form. The longer one loses its last
// token until both fit (of equally long ones the second), as transformers' longest_first does.
WholeText read_pair(const Tokenizer& tokenizer, const std::string& first, const std::string& second, int64_t max_tokens);

// Two texts sentence by sentence where they have equally many, else as wholes: what SOME and BARTScore measure (CRAFT App.
// D.3).
struct MeasuredPair {
    std::string first, second;
};
std::vector<MeasuredPair> measured_pairs(const std::string& first, const std::string& second, SentenceRule rule);

}  // namespace craft
