#include "model/kernels/sequence_cuts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/rng.h"

namespace craft {
namespace {

using testing::ElementsAre;

Sequences causal(const std::vector<int32_t>& lengths) {
    Sequences s;
    s.causal = true;
    for (const int32_t length : lengths) s.queries.push_back(s.queries.back() + length);
    s.keys = s.queries;
    return s;
}

constexpr BackwardBlocks kH100{32, 132};

TEST(BackwardCuts, AreOneCallWhereNothingIsSplit) {
    const std::vector<SequenceCut> cuts = backward_cuts(causal({6000, 500, 500}), {32, 0});
    ASSERT_EQ(cuts.size(), 1U);
    EXPECT_THAT(cuts[0].sequences, ElementsAre(0, 1, 2));
    EXPECT_EQ(cuts[0].empty, 0U);
    EXPECT_EQ(backward_cuts(causal({}), kH100).size(), 1U);
}

TEST(BackwardCuts, OfEvenSequencesAreOneCallWithAsManyEmptyOnesAsMakeWholeRounds) {
    // 2 x 32 x ceil(132 / 64) = 192 blocks of a third would take two rounds; with one empty sequence it is 2 x 32 x 2 of a
    // half.
    std::vector<SequenceCut> cuts = backward_cuts(causal({4096, 4096}), kH100);
    ASSERT_EQ(cuts.size(), 1U);
    EXPECT_EQ(cuts[0].empty, 1U);
    cuts = backward_cuts(causal({4096, 4096, 4096, 4096}), kH100);  // 128 blocks of a whole for 256 of a half
    ASSERT_EQ(cuts.size(), 1U);
    EXPECT_EQ(cuts[0].empty, 1U);
    cuts = backward_cuts(causal(std::vector<int32_t>(64, 256)), kH100);  // many rounds
    ASSERT_EQ(cuts.size(), 1U);
    EXPECT_EQ(cuts[0].empty, 0U);
}

TEST(BackwardCuts, PartPromptsFromTheirResponses) {
    const std::vector<SequenceCut> cuts = backward_cuts(causal({6000, 500, 480, 5900, 510, 500}), kH100);
    ASSERT_EQ(cuts.size(), 2U);
    EXPECT_THAT(cuts[0].sequences, ElementsAre(0, 3));
    EXPECT_EQ(cuts[0].empty, 1U);
    EXPECT_THAT(cuts[1].sequences, ElementsAre(1, 2, 4, 5));
}

TEST(BackwardCuts, LeaveManyShortSequencesTogether) {
    std::vector<int32_t> lengths;
    Rng rng(1, "short sequences");
    for (int i = 0; i < 60; ++i) lengths.push_back(static_cast<int32_t>(rng.between(10, 600)));
    EXPECT_EQ(backward_cuts(causal(lengths), kH100).size(), 1U);
}

// With more queries than keys, as branches on their prompts have.
TEST(CutSequences, AreTheChosenOnesBehindEachOther) {
    Sequences s;
    s.queries = {0, 4, 5, 12};
    s.keys = {0, 2, 10, 11};
    const Sequences some = cut_sequences(s, {{0, 2}, 2});
    EXPECT_THAT(some.queries, ElementsAre(0, 4, 11, 11, 11));
    EXPECT_THAT(some.keys, ElementsAre(0, 2, 3, 3, 3));
    EXPECT_FALSE(some.causal);
    EXPECT_EQ(some.count(), 4U);
}

}  // namespace
}  // namespace craft
