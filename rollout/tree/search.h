// Tool-guided Monte Carlo tree search (CRAFT §5.2, App. D.5): chooses leaves, lets an expander revise and evaluate, and
// backs the rewards up.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "rollout/tree/search_tree.h"

namespace craft {

// Samples responses at leaves, revises, measures and evaluates.
class Expander {
public:
    virtual ~Expander() = default;
    // For each leaf `samples` candidates, in the order of the leaves, those that failed included. The number of a leaf and
    // that of a sample may key random streams: both are the same in every run. What leads to a leaf are the nodes above it.
    virtual std::vector<std::vector<ChildCandidate>> expand(const SearchTree& tree, const std::vector<int64_t>& leaves,
                                                            int64_t samples) = 0;
};

enum class SearchEnd {
    iterations,   // as many as there may be
    patience,     // the best reward has not risen in this many iterations
    nothing_left  // no node may be expanded
};
const char* search_end_name(SearchEnd end);  // "nothing_left"

// Why a search of this tree is over, the first that applies in the order above; none: it continues. Patience is looked at
// between rounds, so that with several leaves at once a few iterations more may have been made.
std::optional<SearchEnd> search_end(const SearchTree& tree);

struct SearchResult {
    std::optional<int64_t> best;  // SearchTree::best(); none: every response failed
    SearchEnd end = SearchEnd::iterations;
    SearchCounts counts;
    std::vector<double> best_by_iteration;
};

// Searches until search_end(), from the state that the tree is in: a new one, one that was read back, or one at which an
// earlier call ended with an exception. In rounds: up to options.leaves leaves are chosen, expanded in one call and backed
// up in the order of choice. Throws what the expander throws, and Error when that answers with something else than
// candidates; the tree then is as the last whole round left it.
SearchResult search(SearchTree& tree, Expander& expander);

}  // namespace craft
