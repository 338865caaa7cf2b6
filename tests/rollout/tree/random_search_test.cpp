// The search on random problems: its invariants after every round, and each node as a reference finds it.
#include <gtest/gtest.h>

#include <map>
#include <numeric>

#include "rollout/tree/search.h"
#include "tests/rollout/tree/reference_search.h"

namespace craft {
namespace {

void expect_rules(const SearchTree& tree) {
    const SearchOptions& options = tree.options();
    std::map<int64_t, int64_t> made;  // candidates by iteration
    for (const Node& node : tree.nodes()) {
        if (!node.is_root()) made[node.iteration] += 1 + static_cast<int64_t>(node.merged.size());
        ASSERT_LE(node.depth, options.depth);
        ASSERT_TRUE(!node.failed() || (node.children.empty() && node.visits == 0));
        ASSERT_TRUE(tree.reward(node) < 2 || node.children.empty());
        for (const int64_t child : node.children) ASSERT_EQ(tree.node(child).parent, node.id);
    }
    ASSERT_EQ(static_cast<int64_t>(made.size()), tree.iterations());  // each expanded one leaf
    for (const auto& [iteration, count] : made) ASSERT_EQ(count, options.children);
    ASSERT_LE(tree.iterations(), options.iterations);
}

TEST(RandomSearch, KeepsItsRulesBehindEveryRound) {
    std::map<SearchEnd, int64_t> ends;
    SearchCounts all;
    for (uint64_t number = 0; number < 200; ++number) {
        SCOPED_TRACE("problem " + std::to_string(number));
        const RandomProblem problem(number);
        SearchTree tree("text", {}, problem.options);
        FunctionExpander expander(problem.candidates());  // checks the invariants of the tree that it is given
        const SearchResult result = search(tree, expander);
        tree.check_invariants();
        expect_rules(tree);
        ++ends[result.end];
        all.merged += result.counts.merged;
        all.failed += result.counts.failed;
        all.diverted += result.counts.diverted;
    }
    // The problems are of all kinds.
    for (const SearchEnd end : {SearchEnd::iterations, SearchEnd::patience, SearchEnd::nothing_left})
        EXPECT_GT(ends[end], 10) << search_end_name(end);
    EXPECT_GT(all.merged, 100);
    EXPECT_GT(all.failed, 100);
    EXPECT_GT(all.diverted, 100);
}

void expect_same(const Node& node, const ReferenceSearch::Spot& spot, const ReferenceSearch& reference) {
    EXPECT_EQ(node.parent, spot.above == nullptr ? 0 : spot.above->number);
    EXPECT_EQ(node.depth, spot.level);
    EXPECT_EQ(node.iteration, spot.made);
    EXPECT_EQ(node.failed(), spot.is_failure);
    EXPECT_EQ(node.revision, spot.text);
    EXPECT_EQ(static_cast<int64_t>(node.merged.size()), spot.doubles);
    const std::vector<double> rewards = reference.rewards(spot);
    EXPECT_EQ(node.visits, static_cast<int64_t>(rewards.size()));
    EXPECT_EQ(node.total, std::accumulate(rewards.begin(), rewards.end(), 0.0));
}

TEST(RandomSearch, IsTheReferencesNodeByNode) {
    int64_t nodes = 0;
    for (uint64_t number = 1000; number < 1400; ++number) {
        SCOPED_TRACE("problem " + std::to_string(number));
        const RandomProblem problem(number);
        SearchTree tree("text", {}, problem.options);
        FunctionExpander expander(problem.candidates());
        const SearchResult result = search(tree, expander);
        ReferenceSearch reference(problem, "text");
        reference.run();
        ASSERT_EQ(tree.nodes().size(), reference.spots.size());
        EXPECT_EQ(result.counts.iterations, reference.iterations);
        EXPECT_EQ(result.counts.diverted, reference.turned_away);
        EXPECT_EQ(result.best.value_or(-1), reference.best() == nullptr ? -1 : reference.best()->number);
        for (size_t i = 0; i < reference.spots.size(); ++i) expect_same(tree.nodes()[i], *reference.spots[i], reference);
        if (HasFailure()) return;
        nodes += static_cast<int64_t>(tree.nodes().size());
    }
    EXPECT_GT(nodes, 4000);
}

}  // namespace
}  // namespace craft
