#include "rollout/tree/leaf_choice.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/rollout/tree/search_example.h"

namespace craft {
namespace {

using Choices = std::vector<LeafChoice>;

TEST(LeafChoice, UctByHand) {
    EXPECT_DOUBLE_EQ(uct(.5, 1, 3, .2), .5 + .2 * std::sqrt(std::log(3.)));
    EXPECT_NEAR(uct(.5, 1, 3, .2), .709629, 1e-6);   // sqrt(1.098612) = 1.048147
    EXPECT_NEAR(uct(2, 4, 6, .2), .633857, 1e-6);    // .5 + .2 * sqrt(1.791759 / 4) = .5 + .2 * .669283
    EXPECT_NEAR(uct(2.5, 4, 9, .2), .773230, 1e-6);  // .625 + .2 * sqrt(2.197225 / 4)
    EXPECT_DOUBLE_EQ(uct(1.5, 2, 9, 0), .75);
    EXPECT_DOUBLE_EQ(uct(1.5, 1, 1, 5), 1.5);  // ln 1 = 0
}

// UCT of the children of the root, in the order 1, 2, 3:
//   after iteration 1: .709629 each, the first of equals
//   2: .633857, .767713, .767713 (.5 + .2 * sqrt(ln 6)), the first of equals
//   3: .648230, .773230, .796461 (.5 + .2 * sqrt(ln 9))
//   4: as before, but 3 is closed, since all its children failed. Next best: 2, and of its children with ln 4 = 1.386294,
//      sqrt 1.177410: 7: .985482, 8: 1.485482, 9: .235482
//   5: .654851 (.5 + .2 * sqrt(ln 11 / 4)), .959769 (5/6 + .2 * sqrt(2.397895 / 6)), .809703. Below 2, with ln 6:
//   7: 1.017713,
//      8: 1.404564 (1.25 + .2 * sqrt(1.791759 / 3)). Below 8, with ln 3: 13 has 2.209629 and is closed; 14: .709629.
TEST(LeafChoice, TheExampleByHand) {
    const Choices expected = {{0, false}, {1, false}, {2, false}, {3, false}, {8, true}, {14, true}};
    for (int64_t iterations = 0; iterations <= 5; ++iterations)
        EXPECT_EQ(choose_leaves(example_tree(iterations), 1), Choices{expected[static_cast<size_t>(iterations)]})
            << "behind iteration " << iterations;
}

// After iteration 3: N(0) = 9, totals 5; node 1: N 4, total 2; node 2: N 4, total 2.5; node 3: N 1, total .5.
//   First choice 3 (.796461). With its virtual loss N(0) = 10, ln 10 = 2.302585, and node 3 has N 2, V .25.
//   1: .5 + .2 * sqrt(2.302585 / 4) = .651743; 2: .776743; 3: .25 + .2 * sqrt(1.151293) = .464597. So 2, and there 8, as
//   above. With N(0) = 11, ln 11 = 2.397895; node 2 has N 5, V .5, and node 8 N 2, V .625: 1: .654851; 2: .5 + .2 *
//   sqrt(2.397895 / 5) = .638504; 3: .25 + .2 * sqrt(1.198948) = .468993. So 1, and there 4 (R = 1). With N(0) = 12, ln 12
//   = 2.484907; node 1 has N 5, V .4, node 4 N 2, V .5: 1: .4 + .140993 = .540993; 2: .5 + .140993 = .640993; 3: .25 + .2 *
//   sqrt(1.242453) = .472930. So 2. With N(2) = 5, ln 5 = 1.609438: 7: .75 + .2 * 1.268636 = 1.003727; 8: .625 + .2 *
//   sqrt(.804719) = .804413; 9: .253727. So 7.
TEST(LeafChoice, VirtualLossesSpreadTheLeavesOfARound) {
    const SearchTree tree = example_tree(3);
    EXPECT_EQ(choose_leaves(tree, 4), (Choices{{3, false}, {8, false}, {4, false}, {7, false}}));
    EXPECT_EQ(choose_leaves(tree, 2), (Choices{{3, false}, {8, false}}));
    EXPECT_EQ(tree.node(0).visits, 9);  // the tree does not see them
    tree.check_invariants();
}

TEST(LeafChoice, ALeafIsChosenOnceARound) {
    SearchTree tree("text", {}, {});
    EXPECT_EQ(choose_leaves(tree, 4), (Choices{{0, false}}));
    // Under two losses the first child still has the highest UCT of all: 1.9375 / 3 against .25 and 0 and what exploration
    // adds.
    tree.add_children(0, {evaluated("a", 1, .9375), evaluated("b", .25, 0), evaluated("c", 0, 0)}, false);
    EXPECT_EQ(choose_leaves(tree, 9), (Choices{{1, false}, {2, false}, {3, false}}));
}

TEST(LeafChoice, NoneWhereNoneIsOpen) {
    SearchOptions options;
    options.depth = 1;
    options.children = 1;
    SearchTree tree("text", {}, options);
    tree.add_children(0, {evaluated("a", .5, .5)}, false);
    EXPECT_TRUE(choose_leaves(tree, 1).empty());
    SearchTree all_failed("text", {}, options);
    all_failed.add_children(0, {failed("declined")}, false);
    EXPECT_TRUE(choose_leaves(all_failed, 1).empty());
}

// The best leaf stands at the deepest level; the next best is its sibling's branch, not the root's other child: of the
// children of the last fork that have an open node below them the one with the highest UCT.
TEST(LeafChoice, NextBestGoesBackToTheLastForkThatHasOne) {
    SearchOptions options;
    options.depth = 3;
    options.children = 2;
    SearchTree tree("text", {}, options);
    tree.add_children(0, {evaluated("a", .75, .75), evaluated("b", .25, .25)}, false);  // 1, 2
    tree.add_children(1, {evaluated("aa", 1, .75), evaluated("ab", .5, .5)}, false);    // 3, 4
    tree.add_children(3, {evaluated("aaa", 1, .75), evaluated("aab", 1, .75)}, false);  // 5, 6 at the deepest level
    EXPECT_EQ(choose_leaves(tree, 2), (Choices{{4, true}, {2, true}}));
    tree.add_children(4, {evaluated("aba", .5, .5), evaluated("abb", .5, .5)}, true);  // 7, 8 there, too
    EXPECT_EQ(choose_leaves(tree, 2), (Choices{{2, true}}));
}

}  // namespace
}  // namespace craft
