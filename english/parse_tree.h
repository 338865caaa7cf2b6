// What follows from the heads of words: where sentences start, and where arcs belong that a projective tree cannot have.
// Reference: spaCy 3.8, set_children_from_heads() and deprojectivize() after Nivre and Nilsson (2005), Pseudo-Projective
// Dependency Parsing, scheme "head".
#pragma once

#include <string>
#include <vector>

namespace craft {

struct ParseTree {
    std::vector<int> heads;  // a root's is itself
    std::vector<std::string> labels;
    std::vector<bool> sentence_starts;
};

// Sets sentence_starts; attaches words with labels of the form "prep||dobj" to the nearest word below their head that has
// the label after the bars, and shortens the label. `is_space`: words of white space, which are no heads.
void finish_tree(ParseTree& tree, const std::vector<bool>& is_space);

}  // namespace craft
