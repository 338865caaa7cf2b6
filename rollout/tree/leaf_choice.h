// Which leaves a search expands next: UCT from the root down (CRAFT §5.2 "Selection", eq. 3), several at once under virtual
// loss.
#pragma once

#include <cstdint>
#include <vector>

#include "rollout/tree/search_tree.h"

namespace craft {

// V + explore * sqrt(ln N(parent) / N) of a node with N `visits` whose rewards add up to `total`; both numbers of visits at
// least 1.
double uct(double total, int64_t visits, int64_t parent_visits, double explore);

struct LeafChoice {
    int64_t leaf = 0;
    bool diverted = false;  // the selection ended at a closed node first
    bool operator==(const LeafChoice&) const = default;
};

// At most `count` different open nodes, in the order of choice; fewer where there are no more.
//
// A selection goes from the root to the child with the highest UCT, the first of equals, until a node without evaluated
// children. Should that node be closed (at the deepest level, with a reward of 2, or all its children failed), or chosen
// already, the next best leaf is taken: where the selection ends if it enters only children at or below which there is an
// open node that is not chosen. Which is the same as going back to the last fork and taking the next in the order of UCT
// there.
//
// Each choice puts a virtual loss on the nodes from the leaf up to the root until all are chosen: one visit more, with a
// reward of 0. The tree does not see it.
std::vector<LeafChoice> choose_leaves(const SearchTree& tree, int64_t count);

}  // namespace craft
