#include "model/kernels/joined_attention.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <torch/autograd.h>
#include <torch/types.h>

#include "core/error.h"
#include "core/rng.h"

namespace craft {
namespace {

using testing::ElementsAre;

std::vector<int64_t> positions_of(const std::vector<Segment>& segments) {
    std::vector<int64_t> positions;
    for (const Segment& s : segments)
        for (int64_t i = s.begin; i < s.end; ++i) positions.push_back(i - s.begin + s.prefix_end - s.prefix_begin);
    return positions;
}

// Trees of random lengths, with and without prefixes, as pack() makes them. Now and then a segment of more than one block of
// the plain attention's queries (512).
std::vector<Segment> random_segments(Rng& rng, int64_t longest) {
    std::vector<Segment> segments;
    int64_t row = 0;
    const int64_t trees = rng.between(1, 4);
    for (int64_t t = 0; t < trees; ++t) {
        const int64_t prefix = rng.between(0, 2) == 0 ? 0 : rng.between(1, longest), begin = row;
        if (prefix > 0) segments.push_back({begin, begin + prefix, 0, 0});
        row += prefix;
        for (int64_t branches = rng.between(1, 4); branches > 0; --branches) {
            const int64_t length = rng.between(1, longest);
            segments.push_back({row, row + length, prefix > 0 ? begin : 0, prefix > 0 ? begin + prefix : 0});
            row += length;
        }
    }
    return segments;
}

struct Result {
    at::Tensor out, gradient, rotated;
};

template <class Attention>
Result run(const at::Tensor& values, const std::vector<Segment>& segments, int64_t turning_dims,
           const Attention& attention) {
    const RotaryTable table =
        rotary_table(at::tensor(positions_of(segments)), plain_frequencies(turning_dims, 10000), 1, values.scalar_type());
    const at::Tensor qkv = values.clone().requires_grad_(true);
    Result result;
    const at::Tensor out = attention(qkv, table, &result.rotated);
    const at::Tensor weights = at::cos(at::arange(out.numel(), out.options())).view_as(out);
    (out * weights).sum().backward();
    result.out = out.detach();
    result.gradient = qkv.grad();
    return result;
}

double largest_difference(const at::Tensor& a, const at::Tensor& b) {
    return (a - b).abs().max().item<double>();
}

// In float64 the attention of the CPU, which tests of the decoder hold to separate rows: sums of up to 1,000 products of
// order 1 in another order.
TEST(JoinedAttention, IsTheAttentionOfTheCpu) {
    Rng rng(1, "joined attention");
    const std::vector<AttentionShape> shapes = {{4, 2, 8}, {3, 1, 16}, {2, 2, 6}};
    for (int turn = 0; turn < 12; ++turn) {
        const AttentionShape& shape = shapes[static_cast<size_t>(turn) % shapes.size()];
        const std::vector<Segment> segments = random_segments(rng, turn == 3 ? 700 : 40);
        const int64_t turning_dims = turn % 2 == 0 ? shape.head_dim : 4;  // the rest of a head does not turn
        const at::Tensor values =
            at::randn({segments.back().end, (shape.heads + 2 * shape.kv_heads) * shape.head_dim},
                      at::make_generator<at::CPUGeneratorImpl>(static_cast<uint64_t>(turn)), at::kDouble);
        const Result expected = run(values, segments, turning_dims, [&](auto& qkv, auto& table, at::Tensor* rotated) {
            return packed_attention(qkv, table, shape, segments, rotated);
        });
        const Result got = run(values, segments, turning_dims, [&](auto& qkv, auto& table, at::Tensor* rotated) {
            return joined_attention(qkv, table, shape, segments, rotated, plain_sequence_attention());
        });
        EXPECT_LT(largest_difference(got.out, expected.out), 1e-12) << turn;
        EXPECT_LT(largest_difference(got.gradient, expected.gradient), 1e-11) << turn;
        EXPECT_LT(largest_difference(got.rotated, expected.rotated), 1e-13) << turn;
        EXPECT_GT(expected.gradient.abs().max().item<double>(), 0.1);
    }
}

// The plain attention on a machine that runs 64 blocks at once, as far as cuts go.
class CutAttention : public SequenceAttention {
public:
    Attended forward(const at::Tensor& q, const at::Tensor& k, const at::Tensor& v, const Sequences& s) const override {
        return plain_sequence_attention().forward(q, k, v, s);
    }
    Gradients backward(const at::Tensor& d_out, const at::Tensor& q, const at::Tensor& k, const at::Tensor& v,
                       const at::Tensor& out, const at::Tensor& lse, const Sequences& s) const override {
        ++calls;
        return plain_sequence_attention().backward(d_out, q, k, v, out, lse, s);
    }
    int64_t blocks_at_once(const at::Device&) const override { return 64; }
    mutable int calls = 0;
};

// Two long trees between many short ones, whose backward passes are calls of their own: 2 for the segments on themselves and
// 2 for the branches on their prompts.
TEST(JoinedAttention, IsTheAttentionOfTheCpuWhereTheBackwardPassIsCut) {
    Rng rng(2, "cut attention");
    const AttentionShape shape{4, 2, 8};
    for (int turn = 0; turn < 3; ++turn) {
        std::vector<Segment> segments;
        for (int i = 0; i < 24; ++i) {
            const int64_t base = segments.empty() ? 0 : segments.back().end;
            for (const Segment& s : random_segments(rng, 20)) {
                const int64_t before = s.prefix_end > 0 ? base : 0;
                segments.push_back({base + s.begin, base + s.end, before + s.prefix_begin, before + s.prefix_end});
            }
            if (i != 3 && i != 8) continue;
            const int64_t begin = segments.back().end, prompt = begin + rng.between(1300, 1500);
            segments.push_back({begin, prompt, 0, 0});
            segments.push_back({prompt, prompt + 600, begin, prompt});
            segments.push_back({prompt + 600, prompt + 1200, begin, prompt});
        }
        const at::Tensor values =
            at::randn({segments.back().end, (shape.heads + 2 * shape.kv_heads) * shape.head_dim},
                      at::make_generator<at::CPUGeneratorImpl>(static_cast<uint64_t>(turn)), at::kDouble);
        const Result expected = run(values, segments, shape.head_dim, [&](auto& qkv, auto& table, at::Tensor* rotated) {
            return packed_attention(qkv, table, shape, segments, rotated);
        });
        const CutAttention attention;
        const Result got = run(values, segments, shape.head_dim, [&](auto& qkv, auto& table, at::Tensor* rotated) {
            return joined_attention(qkv, table, shape, segments, rotated, attention);
        });
        EXPECT_EQ(attention.calls, 4);
        EXPECT_LT(largest_difference(got.out, expected.out), 1e-12) << turn;
        EXPECT_LT(largest_difference(got.gradient, expected.gradient), 1e-11) << turn;
        EXPECT_GT(expected.gradient.abs().max().item<double>(), 0.1);
    }
}

TEST(JoinedAttention, WithoutRotaryPositionsMovesHeadsAsTheyAre) {
    const std::vector<Segment> segments = {{0, 5, 0, 0}, {5, 9, 0, 5}, {9, 10, 0, 5}};
    const AttentionShape shape{2, 1, 8};
    const at::Tensor values = at::randn({10, 32}, at::make_generator<at::CPUGeneratorImpl>(7), at::kDouble);
    const auto both = [&](const at::Tensor& qkv, const RotaryTable& table, at::Tensor* rotated) {
        return joined_attention(qkv, table, shape, segments, rotated, plain_sequence_attention());
    };
    const Result got = run(values, segments, 0, both);
    EXPECT_TRUE(at::equal(got.rotated, values.view({10, 4, 8}).transpose(0, 1)));
    const Result expected = run(values, segments, 0, [&](auto& qkv, auto& table, at::Tensor* rotated) {
        return packed_attention(qkv, table, shape, segments, rotated);
    });
    EXPECT_LT(largest_difference(got.out, expected.out), 1e-12);
    EXPECT_LT(largest_difference(got.gradient, expected.gradient), 1e-12);
}

TEST(JoinedSequences, HaveEverySegmentOnceAndTheBranchesOfAPrefixTogether) {
    // A tree with two branches, a sequence by itself, a tree with one branch.
    const JoinedSequences s =
        joined_sequences({{0, 3, 0, 0}, {3, 5, 0, 3}, {5, 6, 0, 3}, {6, 9, 0, 0}, {9, 11, 0, 0}, {11, 12, 9, 11}});
    EXPECT_THAT(s.own.queries, ElementsAre(0, 3, 5, 6, 9, 11, 12));
    EXPECT_EQ(s.own.keys, s.own.queries);
    EXPECT_TRUE(s.own.causal);
    EXPECT_FALSE(s.branches.causal);
    EXPECT_THAT(s.branch_rows, ElementsAre(3, 4, 5, 11));
    EXPECT_THAT(s.branches.queries, ElementsAre(0, 3, 4));
    EXPECT_THAT(s.prefix_rows, ElementsAre(0, 1, 2, 9, 10));
    EXPECT_THAT(s.branches.keys, ElementsAre(0, 3, 5));
}

TEST(JoinedSequences, ABackwardPassInOneCallTakesTheRowsAsTheyLie) {
    const JoinedSequences s = joined_sequences({{0, 3, 0, 0}, {3, 5, 0, 3}, {5, 6, 0, 3}});
    ASSERT_EQ(s.own_backward.size(), 1U);
    EXPECT_EQ(s.own_backward[0].sequences.queries, s.own.queries);
    EXPECT_TRUE(s.own_backward[0].sequences.causal);
    EXPECT_TRUE(s.own_backward[0].queries.rows.empty());
    ASSERT_EQ(s.branches_backward.size(), 1U);
    EXPECT_FALSE(s.branches_backward[0].sequences.causal);
    EXPECT_EQ(s.branches_backward[0].queries.rows, s.branch_rows);
    EXPECT_EQ(s.branches_backward[0].keys.rows, s.prefix_rows);
}

TEST(JoinedSequences, PromptsOfACutBackwardPassStandBehindEachOther) {
    // Two pairs on 132 multiprocessors: both prompts, and all four responses.
    const JoinedSequences s = joined_sequences({{0, 6000, 0, 0},
                                                {6000, 6500, 0, 6000},
                                                {6500, 7000, 0, 6000},
                                                {7000, 13000, 0, 0},
                                                {13000, 13500, 7000, 13000},
                                                {13500, 14000, 7000, 13000}},
                                               {32, 132}, at::kCPU);
    ASSERT_EQ(s.own_backward.size(), 2U);
    const BackwardCall &prompts = s.own_backward[0], &responses = s.own_backward[1];
    EXPECT_THAT(prompts.sequences.queries, ElementsAre(0, 6000, 12000, 12000));
    EXPECT_EQ(prompts.queries.rows.size(), 12000U);
    EXPECT_EQ(prompts.queries.rows[5999], 5999);
    EXPECT_EQ(prompts.queries.rows[6000], 7000);
    EXPECT_EQ(prompts.keys.rows, prompts.queries.rows);
    EXPECT_THAT(std::vector(responses.sequences.keys.begin(), responses.sequences.keys.begin() + 5),
                ElementsAre(0, 500, 1000, 1500, 2000));
    EXPECT_EQ(responses.queries.rows[1000], 13000);
    EXPECT_EQ(responses.queries.device.scalar_type(), at::kLong);
    EXPECT_EQ(responses.keys.device[1999].item<int64_t>(), 13999);
    EXPECT_TRUE(at::equal(prompts.sequences.device_keys, at::tensor(std::vector<int32_t>{0, 6000, 12000, 12000}, at::kInt)));
    ASSERT_EQ(s.branches_backward.size(), 1U);
    EXPECT_THAT(s.branches_backward[0].sequences.queries, ElementsAre(0, 1000, 2000, 2000));
    EXPECT_THAT(s.branches_backward[0].sequences.keys, ElementsAre(0, 6000, 12000, 12000));
}

TEST(JoinedSequences, TheirNumbersAreTheSameOnTheDevice) {
    const JoinedSequences s = joined_sequences({{0, 3, 0, 0}, {3, 5, 0, 3}, {5, 6, 0, 3}}, {}, at::kCPU);
    EXPECT_TRUE(at::equal(s.own.device_queries, at::tensor(std::vector<int32_t>{0, 3, 5, 6}, at::kInt)));
    EXPECT_TRUE(at::equal(s.own.device_keys, s.own.device_queries));
    EXPECT_TRUE(at::equal(s.branches.device_queries, at::tensor(std::vector<int32_t>{0, 3}, at::kInt)));
    EXPECT_TRUE(at::equal(s.branches.device_keys, at::tensor(std::vector<int32_t>{0, 3}, at::kInt)));
    EXPECT_TRUE(at::equal(s.device_branch_rows, at::tensor(std::vector<int64_t>{3, 4, 5}, at::kLong)));
    EXPECT_TRUE(at::equal(s.device_prefix_rows, at::tensor(std::vector<int64_t>{0, 1, 2}, at::kLong)));
}

TEST(JoinedSequences, RefuseGapsAndEmptySegments) {
    EXPECT_THROW(joined_sequences({{1, 3, 0, 0}}), Error);
    EXPECT_THROW(joined_sequences({{0, 3, 0, 0}, {4, 5, 0, 0}}), Error);
    EXPECT_THROW(joined_sequences({{0, 3, 0, 0}, {3, 3, 0, 3}}), Error);
}

}  // namespace
}  // namespace craft
