#include "gec/retrieval/rank_fusion.h"

#include <gtest/gtest.h>

namespace craft {
namespace {

TEST(RankFusion, SumsReciprocalRanks) {
    // 7: 1/61 + 1/62; 3: 1/62 + 1/63 (that it occurs twice in the second list counts once); 9: 1/61.
    const auto fused = fused_ranks({{7, 3}, {9, 7, 3, 3}, {}});
    ASSERT_EQ(fused.size(), 3u);
    EXPECT_EQ(fused[0].first, 7);
    EXPECT_DOUBLE_EQ(fused[0].second, 1.0 / 61 + 1.0 / 62);
    EXPECT_EQ(fused[1].first, 3);
    EXPECT_DOUBLE_EQ(fused[1].second, 1.0 / 62 + 1.0 / 63);
    EXPECT_DOUBLE_EQ(fused[2].second, 1.0 / 61);
}

TEST(RankFusion, EqualSumsGoByNumber) {
    const auto fused = fused_ranks({{5, 2}, {2, 5}});
    EXPECT_EQ(fused[0].first, 2);
    EXPECT_EQ(fused[0].second, fused[1].second);
}

}  // namespace
}  // namespace craft
