#include "model/kernels/packed_batch.h"

#include <gtest/gtest.h>
#include <torch/types.h>

#include "core/error.h"

namespace craft {
namespace {

std::vector<int64_t> values(const at::Tensor& t) {
    return {t.data_ptr<int64_t>(), t.data_ptr<int64_t>() + t.numel()};
}

TEST(PackedBatch, LaysPrefixOnceAndBranchesBehindIt) {
    const TokenTree pair{{10, 11, 12}, {{{20, 21}, {1, 1}}, {{30, 31, 32}, {1, 0, 1}}}};
    const TokenTree plain{{}, {{{40, 41}, {0, 1}}}};
    const PackedBatch batch = pack({pair, plain}, at::kCPU);
    EXPECT_EQ(values(batch.tokens), (std::vector<int64_t>{10, 11, 12, 20, 21, 30, 31, 32, 40, 41}));
    EXPECT_EQ(values(batch.positions), (std::vector<int64_t>{0, 1, 2, 3, 4, 3, 4, 5, 0, 1}));
    // The first token of a branch is predicted by the prefix's last one.
    EXPECT_EQ(values(batch.target_rows), (std::vector<int64_t>{2, 3, 2, 6, 8}));
    EXPECT_EQ(values(batch.targets), (std::vector<int64_t>{20, 21, 30, 32, 41}));
    EXPECT_EQ(values(batch.target_branch), (std::vector<int64_t>{0, 0, 1, 1, 2}));
    EXPECT_EQ(batch.branches, 3);
    ASSERT_EQ(batch.segments.size(), 4u);
    EXPECT_EQ(batch.segments[2].begin, 5);
    EXPECT_EQ(batch.segments[2].end, 8);
    EXPECT_EQ(batch.segments[2].prefix_begin, 0);
    EXPECT_EQ(batch.segments[2].prefix_end, 3);
    EXPECT_EQ(batch.segments[3].prefix_end - batch.segments[3].prefix_begin, 0);
    EXPECT_EQ(pair.size(), 8);
}

TEST(PackedBatch, LaysWhatAllBranchesBeginWithOnce) {
    const TokenTree tree{{10, 11}, {{{20, 21, 22}, {1, 0, 1}}, {{20, 21, 30, 31}, {0, 1, 1, 1}}}};
    EXPECT_EQ(tree.common(), 2);
    EXPECT_EQ(tree.size(), 7);
    const PackedBatch batch = pack({tree}, at::kCPU);
    EXPECT_EQ(values(batch.tokens), (std::vector<int64_t>{10, 11, 20, 21, 22, 30, 31}));
    EXPECT_EQ(values(batch.positions), (std::vector<int64_t>{0, 1, 2, 3, 4, 4, 5}));
    // Each branch has its own mask on the common tokens.
    EXPECT_EQ(values(batch.target_rows), (std::vector<int64_t>{1, 3, 2, 3, 5}));
    EXPECT_EQ(values(batch.targets), (std::vector<int64_t>{20, 22, 21, 30, 31}));
    EXPECT_EQ(values(batch.target_branch), (std::vector<int64_t>{0, 0, 1, 1, 1}));
    ASSERT_EQ(batch.segments.size(), 3u);
    EXPECT_EQ(batch.segments[0].end, 4);
    EXPECT_EQ(batch.segments[2].begin, 5);
    EXPECT_EQ(batch.segments[2].prefix_end, 4);
}

TEST(PackedBatch, EveryBranchKeepsATokenOfItsOwn) {
    const TokenTree within{{}, {{{1, 2, 3}, {0, 1, 1}}, {{1, 2}, {0, 1}}, {{1, 2, 3, 4}, {0, 0, 0, 1}}}};
    EXPECT_EQ(within.common(), 1);
    const PackedBatch batch = pack({within}, at::kCPU);
    EXPECT_EQ(values(batch.tokens), (std::vector<int64_t>{1, 2, 3, 2, 2, 3, 4}));
    EXPECT_EQ(values(batch.target_rows), (std::vector<int64_t>{0, 1, 0, 5}));
    EXPECT_EQ((TokenTree{{}, {{{1, 2}, {0, 1}}}}.common()), 0);
    EXPECT_EQ((TokenTree{{1}, {{{2}, {1}}, {}}}.common()), 0);
}

TEST(PackedBatch, EmptyBranchKeepsItsNumber) {
    const PackedBatch batch = pack({{{7}, {{{}, {}}, {{8}, {1}}}}}, at::kCPU);
    EXPECT_EQ(values(batch.target_branch), std::vector<int64_t>{1});
    EXPECT_EQ(batch.branches, 2);
}

TEST(PackedBatch, RefusesWhatCannotBePredicted) {
    EXPECT_THROW(pack({{{1}, {}}}, at::kCPU), Error);
    EXPECT_THROW(pack({{{}, {{{1, 2}, {1, 1}}}}}, at::kCPU), Error);
    EXPECT_THROW(pack({{{1}, {{{1, 2}, {1}}}}}, at::kCPU), Error);
}

TEST(PackedBatch, CutsByTokens) {
    using Cuts = std::vector<std::pair<size_t, size_t>>;
    EXPECT_EQ(cut_by_tokens({3, 4, 5, 1}, 7), (Cuts{{0, 2}, {2, 4}}));
    EXPECT_EQ(cut_by_tokens({7, 7}, 7), (Cuts{{0, 1}, {1, 2}}));
    EXPECT_TRUE(cut_by_tokens({}, 7).empty());
    EXPECT_THROW(cut_by_tokens({3, 8}, 7), Error);
}

}  // namespace
}  // namespace craft
