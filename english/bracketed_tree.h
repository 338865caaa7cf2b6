// Trees in brackets: "(S (NP he) (VP ran))".
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace craft {

// A word of a sentence, and how a tree has it.
struct TreeWord {
    std::string text;  // "Morrow"
    std::string leaf;  // "Morrow{!<CAPITALIZED-WORDS>}"
};

// A tree on one line, with each word's text in place of its leaf.
struct WordTree {
    std::string bracketed;
    int64_t flat_words =
        0;  // words that the tree lacks: they stand before the next leaf that it has, or last in the whole tree
};

// Leaves contain neither round brackets nor blanks, which are the tree's; brackets of texts get the Penn Treebank's names
// (-LRB- -RRB- -LSB- -RSB- -LCB- -RCB-). None where the brackets are not paired, a label is missing, there is more than one
// root, or a leaf is none of the words that are left, in their order.
std::optional<WordTree> tree_with_words(std::string_view tree, const std::vector<TreeWord>& words);

}  // namespace craft
