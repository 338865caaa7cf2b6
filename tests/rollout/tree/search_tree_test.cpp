#include "rollout/tree/search_tree.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <limits>

#include "tests/rollout/tree/search_example.h"

namespace craft {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::ThrowsMessage;

void expect_statistics(const SearchTree& tree, int64_t id, int64_t visits, double value) {
    EXPECT_EQ(tree.node(id).visits, visits) << "node " << id;
    EXPECT_DOUBLE_EQ(tree.node(id).value(), value) << "node " << id;
}

TEST(SearchTree, BeginsWithARootThatHasNoReward) {
    const SearchTree tree("text", {{"prompt", "p"}}, {});
    expect_statistics(tree, 0, 0, 0);
    EXPECT_TRUE(tree.is_open(tree.node(0)));
    EXPECT_EQ(tree.best(), std::nullopt);
    EXPECT_EQ(tree.counts(), SearchCounts{});
    EXPECT_TRUE(tree.best_by_iteration().empty());
    tree.check_invariants();
}

TEST(SearchTree, BacksRewardsUp) {
    SearchTree tree = example_tree(1);  // .5, .5, .5
    expect_statistics(tree, 0, 3, .5);
    for (const int64_t child : {1, 2, 3}) expect_statistics(tree, child, 1, .5);
    tree = example_tree(2);             // below 1: 1, .25, .25
    expect_statistics(tree, 1, 4, .5);  // (.5 + 1 + .25 + .25) / 4
    expect_statistics(tree, 0, 6, .5);  // (1.5 + 1.5) / 6
    expect_statistics(tree, 4, 1, 1);
    tree = example_tree(3);               // below 2: .75, 1.25, 0
    expect_statistics(tree, 2, 4, .625);  // (.5 + 2) / 4
    expect_statistics(tree, 0, 9, 5. / 9);
    EXPECT_THAT(tree.node(0).children, ElementsAre(1, 2, 3));
    EXPECT_THAT(tree.node(2).children, ElementsAre(7, 8, 9));
    EXPECT_EQ(tree.node(8).depth, 2);
    EXPECT_EQ(tree.node(8).parent, 2);
    EXPECT_EQ(tree.node(8).iteration, 3);
}

TEST(SearchTree, FailedChildrenLeaveNoVisit) {
    const SearchTree tree = example_tree(4);
    expect_statistics(tree, 0, 9, 5. / 9);
    expect_statistics(tree, 3, 1, .5);
    expect_statistics(tree, 12, 0, 0);
    EXPECT_EQ(tree.node(12).failure, "timed_out");
    EXPECT_TRUE(tree.node(12).failed());
    EXPECT_FALSE(tree.is_open(tree.node(12)));
    EXPECT_FALSE(tree.is_open(tree.node(3)));  // is not asked again
    EXPECT_EQ(tree.counts(), (SearchCounts{4, 9, 0, 3, 0}));
}

TEST(SearchTree, AFailureKeepsNoReward) {
    SearchTree tree("text", {}, {});
    ChildCandidate broken{"revised", 1, 1, "no scores", {}};
    tree.add_children(0, {broken, evaluated("revised", .25, 0), broken}, false);
    EXPECT_EQ(tree.reward(tree.node(1)), 0);
    EXPECT_EQ(tree.node(1).revision, "revised");
    EXPECT_EQ(tree.best(), 2);  // and none of them is merged with another
    EXPECT_EQ(tree.counts(), (SearchCounts{1, 1, 0, 2, 0}));
}

TEST(SearchTree, EqualRevisionsAreMergedIntoTheFirst) {
    const SearchTree tree = example_tree(5);
    EXPECT_EQ(tree.nodes().size(), 15u);
    expect_statistics(tree, 14, 1, .5);
    expect_statistics(tree, 8, 3, 1.25);    // (1.25 + 2 + .5) / 3
    expect_statistics(tree, 2, 6, 5. / 6);  // (2.5 + 2.5) / 6
    expect_statistics(tree, 0, 11, 7.5 / 11);
    EXPECT_EQ(tree.node(14).payload, "first");
    EXPECT_THAT(tree.node(14).merged, ElementsAre(Json("second")));
    EXPECT_EQ(tree.counts(), (SearchCounts{5, 11, 1, 3, 1}));
    EXPECT_THAT(tree.diverted(), ElementsAre(5));
}

TEST(SearchTree, CousinsAndParentsAreNotMerged) {
    SearchTree tree("text", {}, {});
    tree.add_children(0, {evaluated("text", .5, 0), evaluated("a", .5, 0), evaluated("b", .5, 0)}, false);
    tree.add_children(1, {evaluated("text", .5, 0), evaluated("a", .5, 0), evaluated("b", .5, 0)}, false);
    EXPECT_EQ(tree.counts(), (SearchCounts{2, 6, 0, 0, 0}));
}

TEST(SearchTree, TheBestHasTheHighestRewardOfItsOwn) {
    EXPECT_EQ(example_tree(1).best(), 1);  // the earliest of equals
    EXPECT_EQ(example_tree(2).best(), 4);  // 1, although V(4) = 1 and V(1) = .5
    EXPECT_EQ(example_tree(4).best(), 8);
    EXPECT_EQ(example_tree(5).best(), 13);
    EXPECT_THAT(example_tree(5).best_by_iteration(), ElementsAre(.5, 1, 1.25, 1.25, 2));
}

TEST(SearchTree, TheBestIsNotTheOneWithTheHighestMean) {
    SearchTree tree("text", {}, {});
    tree.add_children(0, {evaluated("a", .75, .5), evaluated("b", .5, .5), evaluated("c", 0, 0)}, false);
    tree.add_children(1, {evaluated("d", 0, 0), evaluated("e", 0, 0), evaluated("f", 0, 0)}, false);
    EXPECT_LT(tree.node(1).value(), tree.node(2).value());  // 1.25 / 4 < 1
    EXPECT_EQ(tree.best(), 1);
}

TEST(SearchTree, WithoutATermItCountsNowhere) {
    SearchOptions options;
    options.children = 2;
    options.use_quality = false;
    SearchTree constraints("text", {}, options);
    constraints.add_children(0, {evaluated("a", 1, .25), evaluated("b", 0, .5)}, false);
    EXPECT_EQ(constraints.best(), 2);
    EXPECT_DOUBLE_EQ(constraints.node(0).value(), .375);  // (.25 + .5) / 2
    EXPECT_EQ(constraints.node(1).r_g, 1);                // as it was evaluated
    options.use_quality = true;
    options.use_constraints = false;
    SearchTree quality("text", {}, options);
    quality.add_children(0, {evaluated("a", 1, 1), evaluated("b", .5, 1)}, false);
    EXPECT_EQ(quality.best(), 1);
    EXPECT_DOUBLE_EQ(quality.node(0).value(), .75);
    EXPECT_TRUE(quality.is_open(quality.node(1)));  // its reward is 1, not 2
}

TEST(SearchTree, NodesAreClosedAtTheDeepestLevelAndWithTheHighestReward) {
    SearchOptions options;
    options.children = 2;
    options.depth = 2;
    SearchTree tree("text", {}, options);
    tree.add_children(0, {evaluated("a", 1, 1), evaluated("b", 1, 63. / 64)}, false);
    EXPECT_FALSE(tree.is_open(tree.node(0)));  // expanded
    EXPECT_FALSE(tree.is_open(tree.node(1)));
    EXPECT_TRUE(tree.is_open(tree.node(2)));
    tree.add_children(2, {evaluated("c", 0, 0), evaluated("d", 0, 0)}, false);
    EXPECT_FALSE(tree.is_open(tree.node(3)));
}

TEST(SearchTree, RefusesWhatCannotBeChildrenAndStaysAsItWas) {
    SearchTree tree = example_tree(1);
    const auto refuses = [&](int64_t leaf, std::vector<ChildCandidate> candidates, const std::string& message) {
        EXPECT_THAT([&] { tree.add_children(leaf, candidates, false); }, ThrowsMessage<Error>(HasSubstr(message)));
        EXPECT_EQ(tree.nodes().size(), 4u);
        EXPECT_EQ(tree.iterations(), 1);
    };
    const ChildCandidate good = evaluated("x", .5, .5);
    refuses(0, {good, good, good}, "expected a node that may be expanded, got node 0");
    refuses(4, {good, good, good}, "got node 4");
    refuses(-1, {good, good, good}, "got node -1");
    refuses(1, {good, good}, "children of node 1: expected 3, got 2");
    refuses(1, {good, good, evaluated("x", 1.5, 0)}, "R_g: expected a number from 0 to 1, got 1.5");
    refuses(1, {good, good, evaluated("x", 0, -.5)}, "R_c: expected a number from 0 to 1, got -0.5");
    refuses(1, {good, good, evaluated("x", std::numeric_limits<double>::quiet_NaN(), 0)}, "R_g: expected a number");
    refuses(1, {good, good, evaluated("\xff", 0, 0)}, "revision: expected a text in UTF-8");
    EXPECT_THROW(SearchTree("\xff", {}, {}), Error);
    SearchOptions options;
    options.children = options.leaves = 0;
    EXPECT_THAT([&] { SearchTree("text", {}, options); },
                ThrowsMessage<UsageError>(testing::AllOf(HasSubstr("children"), HasSubstr("leaves"))));
}

TEST(SearchTree, InvariantsNameTheNodeThatBreaksThem) {
    const SearchTree tree = example_tree(5);
    const auto finds = [&](const std::string& message, const std::function<void(std::vector<Node>&)>& damage) {
        std::vector<Node> nodes = tree.nodes();
        check_invariants(nodes, {});
        damage(nodes);
        EXPECT_THAT([&] { check_invariants(nodes, {}); }, ThrowsMessage<Error>(HasSubstr(message)));
    };
    finds("node 0: N: expected 11, got 12", [](auto& nodes) { nodes[0].visits = 12; });
    finds("node 2: N: expected 6, got 5", [](auto& nodes) { nodes[2].visits = 5; });
    finds("node 10: N: expected 0, got 1", [](auto& nodes) { nodes[10].visits = 1; });
    finds("node 2: sum of rewards: expected 5.0, got 5.5", [](auto& nodes) { nodes[2].total += .5; });
    finds("node 13: sum of rewards: expected 1.5, got 2.0", [](auto& nodes) { nodes[13].r_g = .5; });
    finds("node 0: sum of rewards", [](auto& nodes) { nodes[0].total = std::numeric_limits<double>::quiet_NaN(); });
}

}  // namespace
}  // namespace craft
