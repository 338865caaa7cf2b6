// The example of docs/search.md, iteration by iteration: the candidates of each leaf, and what comes of them by hand.
#pragma once

#include <vector>

#include "tests/rollout/tree/test_expanders.h"

namespace craft {

// Node 0 gives 1, 2, 3; 1 gives 4, 5, 6; 2 gives 7, 8, 9; of 3 all fail (10, 11, 12); 8 gives 13 and 14, two of whose three
// revisions are the same.
inline std::vector<ChildCandidate> example_children(int64_t leaf) {
    switch (leaf) {
        case 0:
            return {evaluated("a", .25, .25), evaluated("b", .25, .25), evaluated("c", 0, .5)};
        case 1:
            return {evaluated("aa", .5, .5), evaluated("ab", .25, 0), evaluated("ac", 0, .25)};
        case 2:
            return {evaluated("ba", .25, .5), evaluated("bb", .25, 1), evaluated("bc", 0, 0)};
        case 3:
            return {failed("rate_limited"), failed("rate_limited"), failed("timed_out")};
        case 8:
            return {evaluated("bba", 1, 1), evaluated("bbb", .5, 0, "first"), evaluated("bbb", .5, 0, "second")};
        default:
            return {evaluated("x", 0, 0), evaluated("y", 0, 0), evaluated("z", 0, 0)};
    }
}

inline FunctionExpander example_expander() {
    return FunctionExpander(
        [](const Node& leaf, int64_t sample) { return example_children(leaf.id).at(static_cast<size_t>(sample)); });
}

// The tree after this many iterations of the example.
inline SearchTree example_tree(int64_t iterations) {
    SearchTree tree("text", {}, {});
    const std::vector<std::pair<int64_t, bool>> choices = {{0, false}, {1, false}, {2, false}, {3, false}, {8, true}};
    for (const auto& [leaf, diverted] : choices)
        if (tree.iterations() < iterations) tree.add_children(leaf, example_children(leaf), diverted);
    return tree;
}

}  // namespace craft
