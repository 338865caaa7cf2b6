// What the rules of ERRANT ask of a token. Whoever parses English fills it in.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace craft {

struct AnnotatedToken {
    std::string text;
    std::string lower;  // Python's str.lower() of it
    std::string lemma;
    std::string pos;    // coarse, of Universal Dependencies: "NOUN"; "" without a model
    std::string tag;    // fine, of the Penn Treebank: "NNS"
    std::string dep;    // label of the arc to its head: "nsubj"
    int64_t head = -1;  // index of the token that it depends on, its own at the root; -1 without a model
};
using AnnotatedTokens = std::vector<AnnotatedToken>;

// Tokens of which only the text is known. The lemma is the lower-cased text.
AnnotatedTokens plain_tokens(const std::vector<std::string>& texts);

}  // namespace craft
