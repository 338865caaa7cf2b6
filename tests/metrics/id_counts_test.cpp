#include "metrics/id_counts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace craft {
namespace {

TEST(IdCounts, ForgetsTheTextBefore) {
    IdCounts counts(4);
    counts.set(std::vector<uint32_t>{2, 0, 2});
    EXPECT_EQ(counts[2], 2U);
    EXPECT_EQ(counts[0], 1U);
    EXPECT_EQ(counts[1], 0U);
    EXPECT_THAT(counts.distinct(), testing::ElementsAre(2, 0));
    counts.set(std::vector<uint32_t>{3});
    EXPECT_EQ(counts[2], 0U);
    EXPECT_THAT(counts.distinct(), testing::ElementsAre(3));
}

}  // namespace
}  // namespace craft
