#include "train/shares.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "core/rng.h"

namespace craft {
namespace {

using testing::ElementsAre;

TEST(Shares, LargeExamplesFirstToTheRankWithTheFewestTokens) {
    // 9 → rank 0; 7 → rank 1; 4 → rank 1 (7 < 9), 11 now; 3 → rank 0, 12; 2 → rank 1, 13.
    EXPECT_THAT(split_by_tokens({4, 9, 3, 7, 2}, 2), ElementsAre(ElementsAre(1, 2), ElementsAre(0, 3, 4)));
    EXPECT_THAT(split_by_tokens({5, 5, 5}, 3), ElementsAre(ElementsAre(0), ElementsAre(1), ElementsAre(2)));
    EXPECT_THAT(split_by_tokens({1, 2}, 1), ElementsAre(ElementsAre(0, 1)));
}

TEST(Shares, OfABatchSmallerThanTheWorldSomeAreEmpty) {
    EXPECT_THAT(split_by_tokens({3, 4}, 4), ElementsAre(ElementsAre(1), ElementsAre(0), ElementsAre(), ElementsAre()));
    EXPECT_THAT(split_by_tokens({}, 2), ElementsAre(ElementsAre(), ElementsAre()));
}

TEST(Shares, HoldEveryExampleOnceAndAreBalanced) {
    Rng rng(3, "sizes");
    for (int trial = 0; trial < 200; ++trial) {
        std::vector<int64_t> sizes(static_cast<size_t>(rng.between(1, 40)));
        for (auto& size : sizes) size = rng.between(1, 500);
        const int ranks = static_cast<int>(rng.between(1, 9));
        std::set<size_t> seen;
        std::vector<int64_t> tokens;
        for (const auto& share : split_by_tokens(sizes, ranks)) {
            EXPECT_TRUE(std::is_sorted(share.begin(), share.end()));
            tokens.push_back(0);
            for (const size_t place : share) {
                EXPECT_TRUE(seen.insert(place).second);
                tokens.back() += sizes[place];
            }
        }
        EXPECT_EQ(seen.size(), sizes.size());
        const auto [least, most] = std::minmax_element(tokens.begin(), tokens.end());
        EXPECT_LE(*most - *least, *std::max_element(sizes.begin(), sizes.end()));
    }
}

}  // namespace
}  // namespace craft
