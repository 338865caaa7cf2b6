// The tree of TG-MCTS (CRAFT §5.2): revisions of a text, each made of the one above it, with visits and mean rewards. It
// knows no model: whoever expands a leaf says what came of it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "rollout/tree/search_options.h"

namespace craft {

// What came of one response that was sampled for a leaf.
struct ChildCandidate {
    std::string revision;  // UTF-8
    double r_g = 0;        // quality of the revision, 0-1
    double r_c = 0;        // share of the condition calls that it meets, 0-1
    std::string failure;   // why there is no reward; empty: there is one
    Json payload;          // what the expander wants to find again (response, feedback, token counts); kept as it is
};

struct Node {
    int64_t id = 0;      // in the order of making; the root is 0
    int64_t parent = 0;  // the root's is itself
    int64_t depth = 0;
    int64_t iteration = 0;    // in which it was made, from 1; of the root 0
    int64_t visits = 0;       // N; of a failed node 0
    double total = 0;         // the sum of all rewards that were backed up through this node, its own included
    double r_g = 0, r_c = 0;  // its own, as evaluated; of the root and of failed nodes 0
    std::string failure;      // empty: did not fail
    std::string revision;
    Json payload;
    std::vector<Json> merged;       // payloads of siblings with the same revision, which are no nodes of their own
    std::vector<int64_t> children;  // failed ones included

    bool is_root() const { return id == 0; }
    bool failed() const { return !failure.empty(); }
    double value() const { return visits == 0 ? 0 : total / static_cast<double>(visits); }  // V
};

// R of a node (CRAFT §5.2): r_g + r_c, without the term that the options turn off; 0-2.
double reward(const Node& node, const SearchOptions& options);

struct SearchCounts {
    int64_t iterations = 0;  // each expanded one leaf
    int64_t evaluated = 0;   // nodes with a reward
    int64_t merged = 0, failed = 0;
    int64_t diverted = 0;  // iterations whose selection ended at a closed node first, so that the next best leaf was taken
    bool operator==(const SearchCounts&) const = default;
};

class SearchTree {
public:
    // A root with the text as it came, and no reward. Throws UsageError with all that search_problems() finds.
    SearchTree(std::string text, Json payload, const SearchOptions& options);

    const SearchOptions& options() const { return options_; }
    const std::vector<Node>& nodes() const { return nodes_; }
    const Node& node(int64_t id) const { return nodes_.at(static_cast<size_t>(id)); }
    double reward(const Node& node) const { return craft::reward(node, options_); }
    // Whether a node may be expanded: it was not yet, did not fail, is above the deepest level and has not the highest
    // reward that there is, 2.
    bool is_open(const Node& node) const;
    // The evaluated node with the highest reward of its own, the earliest of equals; never the root. None: nothing was
    // evaluated.
    std::optional<int64_t> best() const;
    // The highest reward so far after each iteration, from the first one; 0 before anything was evaluated.
    std::vector<double> best_by_iteration() const;
    SearchCounts counts() const;
    int64_t iterations() const { return iterations_; }
    // The iterations that SearchCounts::diverted counts, rising.
    const std::vector<int64_t>& diverted() const { return diverted_; }

    // Throws Error if these cannot be the children of a node: it is not open, they are not as many as the options say, or a
    // reward or text is none.
    void check_candidates(int64_t leaf, const std::vector<ChildCandidate>& candidates) const;
    // One iteration: adds the children of an open node and backs their rewards up to the root, in order. A child whose
    // revision is a sibling's is merged into that one; one that failed is kept without a visit. `diverted`: see
    // SearchCounts. Throws as check_candidates() does, and has then changed nothing.
    void add_children(int64_t leaf, const std::vector<ChildCandidate>& candidates, bool diverted);

    // Throws Error where the rules of check_invariants() below do not hold.
    void check_invariants() const;

private:
    void add_child(int64_t leaf, const ChildCandidate& candidate);
    void back_up(int64_t from, double own);

    SearchOptions options_;
    std::vector<Node> nodes_;
    int64_t iterations_ = 0;
    std::vector<int64_t> diverted_;
};

// N of the root is the sum of its children's, N of every other evaluated node one more, N of a failed one 0, and V the mean
// of the rewards backed up. Throws Error naming the node where that does not hold.
void check_invariants(const std::vector<Node>& nodes, const SearchOptions& options);

}  // namespace craft
