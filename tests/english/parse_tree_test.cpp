#include "english/parse_tree.h"

#include <gmock/gmock.h>

namespace craft {
namespace {

using ::testing::ElementsAre;

ParseTree finished(std::vector<int> heads, std::vector<std::string> labels, std::vector<bool> spaces = {}) {
    ParseTree tree{std::move(heads), std::move(labels), {}};
    spaces.resize(tree.heads.size());
    finish_tree(tree, spaces);
    return tree;
}

TEST(ParseTree, FindsSentenceStarts) {
    // "She slept . He ran": roots 1 and 4
    EXPECT_THAT(finished({1, 1, 1, 4, 4}, {"nsubj", "ROOT", "punct", "nsubj", "ROOT"}).sentence_starts,
                ElementsAre(true, false, false, true, false));
    EXPECT_TRUE(finished({}, {}).sentence_starts.empty());
}

TEST(ParseTree, AttachesLiftedWordsBelowTheirHead) {
    // "whom did you say she saw": the object of "saw" (5) hangs on "say" (3) as dobj||ccomp.
    const ParseTree tree = finished({3, 3, 3, 3, 5, 3}, {"dobj||ccomp", "aux", "nsubj", "ROOT", "nsubj", "ccomp"});
    EXPECT_THAT(tree.heads, ElementsAre(5, 3, 3, 3, 5, 3));
    EXPECT_THAT(tree.labels, ElementsAre("dobj", "aux", "nsubj", "ROOT", "nsubj", "ccomp"));
    EXPECT_THAT(tree.sentence_starts, ElementsAre(true, false, false, false, false, false));
}

TEST(ParseTree, TakesTheNearestLevelAndTheLeftmostWord) {
    // Below the root 0: 1 (b) with 2 (x) below it, and 3 (x); word 4 looks for an x: 3 is a level nearer.
    EXPECT_EQ(finished({0, 0, 1, 0, 0}, {"ROOT", "b", "x", "x", "a||x"}).heads[4], 3);
    EXPECT_EQ(finished({0, 0, 1, 0, 0}, {"ROOT", "x", "x", "x", "a||x"}).heads[4], 1);
    EXPECT_EQ(finished({0, 0, 1, 0, 0}, {"ROOT", "b", "x", "b", "a||x"}).heads[4], 2);
    EXPECT_EQ(finished({0, 0, 1, 0, 0}, {"ROOT", "b", "b", "b", "a||x"}).heads[4], 0);  // there is none
    // White space is no head, nor looked below.
    EXPECT_EQ(finished({0, 0, 1, 0, 0}, {"ROOT", "x", "x", "b", "a||x"}, {false, true, false, false, false}).heads[4], 0);
}

TEST(ParseTree, LooksBetweenTheEdgesThatWereThereBefore) {
    // Word 0 goes below word 4, outside of what was below it; word 5, which looks for an x, does not find it there.
    // spaCy 3.8.18 gives the same (nonproj.deprojectivize).
    const ParseTree tree = finished({3, 3, 3, 3, 3, 3}, {"x||h", "q", "q", "ROOT", "h", "y||x"});
    EXPECT_THAT(tree.heads, ElementsAre(4, 3, 3, 3, 3, 3));
    EXPECT_THAT(tree.labels, ElementsAre("x", "q", "q", "ROOT", "h", "y"));
}

}  // namespace
}  // namespace craft
