#include "metrics/insert_delete.h"

#include <gtest/gtest.h>

namespace craft {
namespace {

// Source "a b c", prediction "a x c", reference "a x y c".
// n = 1: inserted {x} and {x, y}: 1/2; deleted {b} and {b}: 1.
// n = 2: inserted {ax, xc} and {ax, xy, yc}: 1/3; deleted {ab, bc} twice: 1.
// n = 3: inserted {axc} and {axy, xyc}: 0; deleted {abc} twice: 1.
// Together (3/4 + 2/3 + 1/2) / 3 = 23/36.
TEST(InsertDelete, ByHand) {
    EXPECT_NEAR(insert_delete("a b c", "a x c", {"a x y c"}), 23.0 / 36, 1e-15);
    EXPECT_NEAR(insert_delete("a b c", "a x c", {"a b c", "a x y c"}), 23.0 / 36, 1e-15);
}

TEST(InsertDelete, WhatNobodyDoesIsShared) {
    EXPECT_EQ(insert_delete("a b", "a b", {"a b"}), 1);
    EXPECT_EQ(insert_delete("", "", {""}), 1);
    // Both delete everything: nothing is inserted, all is deleted alike.
    EXPECT_EQ(insert_delete("a b", "", {""}), 1);
    // The reference alone deletes: each half of insertions is 1, of deletions 0, but for n = 3, of which the source has
    // none.
    EXPECT_NEAR(insert_delete("a b", "a b", {""}), (0.5 + 0.5 + 1) / 3, 1e-15);
}

TEST(InsertDelete, CountsDifferentNgramsOnce) {
    // n = 1: x is inserted twice but is one; n = 2: {ax, xx} and {ax}: 1/2; n = 3: {axx} and none: 0.
    EXPECT_NEAR(insert_delete("a", "a x x", {"a x"}), (1 + (0.5 + 1) / 2 + (0 + 1.0) / 2) / 3, 1e-15);
}

}  // namespace
}  // namespace craft
