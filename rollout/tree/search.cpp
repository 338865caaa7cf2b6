#include "rollout/tree/search.h"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "rollout/tree/leaf_choice.h"

namespace craft {

namespace {

void search_round(SearchTree& tree, Expander& expander) {
    const SearchOptions& options = tree.options();
    const int64_t left = options.iterations - tree.iterations();
    const std::vector<LeafChoice> choices = choose_leaves(tree, std::min(options.leaves, left));
    std::vector<int64_t> leaves;
    for (const LeafChoice& choice : choices) leaves.push_back(choice.leaf);
    const std::vector<std::vector<ChildCandidate>> answers = expander.expand(tree, leaves, options.children);
    if (answers.size() != leaves.size())
        throw Error("search: expanded leaves", std::to_string(leaves.size()), std::to_string(answers.size()));
    // All are looked at before the first is added, so that a round is added whole or not at all.
    for (size_t i = 0; i < leaves.size(); ++i) tree.check_candidates(leaves[i], answers[i]);
    for (size_t i = 0; i < leaves.size(); ++i) tree.add_children(leaves[i], answers[i], choices[i].diverted);
    tree.check_invariants();
}

bool has_open_node(const SearchTree& tree) {
    return std::any_of(tree.nodes().begin(), tree.nodes().end(), [&](const Node& node) { return tree.is_open(node); });
}

}  // namespace

const char* search_end_name(SearchEnd end) {
    switch (end) {
        case SearchEnd::iterations:
            return "iterations";
        case SearchEnd::patience:
            return "patience";
        case SearchEnd::nothing_left:
            return "nothing_left";
    }
    throw std::logic_error("search_end_name: not an end");
}

std::optional<SearchEnd> search_end(const SearchTree& tree) {
    const SearchOptions& options = tree.options();
    const int64_t done = tree.iterations();
    if (done >= options.iterations) return SearchEnd::iterations;
    // The best node is the earliest of the highest: the reward last rose in the iteration that made it.
    const std::optional<int64_t> best = tree.best();
    if (options.patience > 0 && best && done - tree.node(*best).iteration >= options.patience) return SearchEnd::patience;
    if (!has_open_node(tree)) return SearchEnd::nothing_left;
    return std::nullopt;
}

SearchResult search(SearchTree& tree, Expander& expander) {
    std::optional<SearchEnd> end;
    while (!(end = search_end(tree))) search_round(tree, expander);
    return {tree.best(), *end, tree.counts(), tree.best_by_iteration()};
}

}  // namespace craft
