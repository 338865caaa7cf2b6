// What the English pipeline says of a token.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace craft {

struct EnglishToken {
    std::string text;
    size_t byte = 0;           // where it starts in the text
    size_t code_point = 0;     // the same, counted as spaCy's idx
    bool space_after = false;  // a blank follows
    bool is_space = false;     // nothing but white space
    std::string lower;         // str.lower()
    std::string norm;          // "not" for "n't"
    std::string lemma;
    std::string tag;    // Penn Treebank: "VBZ"
    std::string pos;    // Universal Dependencies: "VERB"
    std::string morph;  // "Number=Sing|Person=3"; empty: none
    std::string dep;    // "nsubj"; "ROOT" for a root
    size_t head = 0;    // a root's is itself
    bool sentence_start = false;
    std::string entity;       // "PERSON"; empty outside
    char entity_place = 'O';  // 'B' first token of an entity, 'I' within, 'O' outside
};

using EnglishDocument = std::vector<EnglishToken>;

}  // namespace craft
