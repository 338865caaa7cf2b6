#include "metrics/edits/edit_lattice.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "core/error.h"

namespace craft {
namespace {

bool has_arc(const EditLattice& lattice, LatticeVertex from, LatticeVertex to) {
    return std::any_of(lattice.order.begin(), lattice.order.end(), [&](int32_t index) {
        const LatticeArc& arc = lattice.arcs[static_cast<size_t>(index)];
        return lattice.vertices[static_cast<size_t>(arc.from)] == from &&
               lattice.vertices[static_cast<size_t>(arc.to)] == to;
    });
}

// One token for another: the distance in which a substitution costs 1 goes straight, that in which it costs 2 also by the
// two other corners. The substitution stands in both lattices and is listed twice; the ways around are joined, but no
// shorter.
TEST(EditLattice, MergesBothDistances) {
    const EditLattice lattice = edit_lattice({1}, {2}, {}, "s");
    EXPECT_EQ(lattice.vertices.size(), 4u);
    EXPECT_EQ(lattice.order.size(), 2u + 4u);
    EXPECT_TRUE(has_arc(lattice, {0, 0}, {1, 1}));
    EXPECT_TRUE(has_arc(lattice, {0, 0}, {0, 1}));
    EXPECT_TRUE(has_arc(lattice, {1, 0}, {1, 1}));
}

// 1 2 3 4 to 9 2 3 8: both changes are one edit over two unchanged tokens, not over one.
TEST(EditLattice, EditsReachOverAsManyUnchangedTokensAsTheyMay) {
    LatticeLimits limits;
    EXPECT_TRUE(has_arc(edit_lattice({1, 2, 3, 4}, {9, 2, 3, 8}, limits, "s"), {0, 0}, {4, 4}));
    limits.max_unchanged_words = 1;
    EXPECT_FALSE(has_arc(edit_lattice({1, 2, 3, 4}, {9, 2, 3, 8}, limits, "s"), {0, 0}, {4, 4}));
}

TEST(EditLattice, OfEqualSentencesIsALine) {
    const EditLattice lattice = edit_lattice({1, 2, 3}, {1, 2, 3}, {}, "s");
    EXPECT_EQ(lattice.vertices.size(), 4u);
    EXPECT_TRUE(std::all_of(lattice.arcs.begin(), lattice.arcs.end(), [](const LatticeArc& arc) { return arc.noop; }));
    EXPECT_EQ(edit_lattice({}, {}, {}, "s").vertices.size(), 1u);
}

// A block that moved far needs a wider band than that which is tried first.
TEST(EditLattice, FindsWaysFarFromTheDiagonal) {
    std::vector<int32_t> source, target;
    for (int32_t i = 0; i < 100; ++i) {
        source.push_back(i);
        target.push_back((i + 40) % 100);
    }
    LatticeLimits limits;
    limits.max_unchanged_words = 0;
    limits.max_arcs = 1'000'000;
    const EditLattice lattice = edit_lattice(source, target, limits, "s");
    // With substitutions at 2 the 60 tokens that stay in order are kept: on diagonal -40.
    EXPECT_TRUE(has_arc(lattice, {50, 10}, {51, 11}));
}

}  // namespace
}  // namespace craft
