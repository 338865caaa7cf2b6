#include "model/kernels/distance_attention.h"

#include <gtest/gtest.h>
#include <torch/types.h>

#include <cmath>
#include <vector>

namespace craft {
namespace {

std::vector<int64_t> bucket_row(const at::Tensor& table, int64_t i) {
    const at::Tensor values = table[i].contiguous();
    return {values.const_data_ptr<int64_t>(), values.const_data_ptr<int64_t>() + values.numel()};
}

// Eight buckets for two directions: four each, of which two are for single distances. From 2 on a distance d has bucket
// 2 + floor(ln(d / 2) / ln(16 / 2) * 2): 2 for 2 to 5 (ln 2.5 / ln 8 * 2 = .88), 3 from 6 on (ln 3 / ln 8 * 2 = 1.06).
// Keys behind the query have 4 more.
TEST(DistanceBuckets, BothDirections) {
    const DistanceBuckets buckets{8, 16, true};
    const at::Tensor table = distance_buckets(9, 9, 0, buckets, at::kCPU);
    EXPECT_EQ(bucket_row(table, 0), (std::vector<int64_t>{0, 5, 6, 6, 6, 6, 7, 7, 7}));
    EXPECT_EQ(bucket_row(table, 7), (std::vector<int64_t>{3, 3, 2, 2, 2, 2, 1, 0, 5}));
    EXPECT_EQ(distance_buckets(1, 200, 199, buckets, at::kCPU)[0][0].item<int64_t>(), 3) << "the last one";
}

// Eight for one direction, four of them for single distances; then 4 + floor(ln(d / 4) / ln(16 / 4) * 4): 4 for 4 and 5
// (ln 1.25 / ln 4 * 4 = .64), 5 for 6 and 7 (ln 1.5 / ln 4 * 4 = 1.17), 6 for 8 to 11 (ln 2 / ln 4 * 4 = 2), 7 from 12 on.
TEST(DistanceBuckets, OneDirection) {
    const DistanceBuckets buckets{8, 16, false};
    const at::Tensor table = distance_buckets(1, 14, 12, buckets, at::kCPU);
    EXPECT_EQ(bucket_row(table, 0), (std::vector<int64_t>{7, 6, 6, 6, 6, 5, 5, 4, 4, 3, 2, 1, 0, 0}));
}

TEST(DistanceBias, IsTheTablesRowAndHidesWhatIsBehind) {
    const at::Tensor table = at::arange(16, at::kFloat).view({8, 2});  // bucket b: 2b and 2b + 1
    const at::Tensor bias = distance_bias(table, 2, 3, 1, {8, 16, false}, true);
    ASSERT_EQ(bias.sizes(), (std::vector<int64_t>{2, 2, 3}));
    // Query 0 stands at 1 and sees keys 0 (distance 1) and 1; query 1 stands at 2.
    EXPECT_EQ(bias[0][0][0].item<float>(), 2);
    EXPECT_EQ(bias[1][0][1].item<float>(), 1);
    EXPECT_TRUE(std::isinf(bias[0][0][2].item<float>()));
    EXPECT_EQ(bias[1][1][0].item<float>(), 5);
}

// One head of one number: scores q k + bias, softmax, times v. exp(0) and exp(ln 3): weights 1/4 and 3/4 of 4 and 8.
TEST(BiasedAttention, ByHand) {
    const at::Tensor q = at::ones({1, 1}), k = at::zeros({2, 1}), v = at::tensor({4.0F, 8.0F}).view({2, 1});
    const at::Tensor bias = at::tensor({0.0F, static_cast<float>(std::log(3.0))}).view({1, 1, 2});
    EXPECT_NEAR(biased_attention(q, k, v, bias, 1, 1).item<float>(), 7, 1e-6);
    // Scores 2 * 1 * (0, ln 3 / 2): the same without a bias.
    const at::Tensor keys = at::tensor({0.0F, static_cast<float>(std::log(3.0) / 2)}).view({2, 1});
    EXPECT_NEAR(biased_attention(q, keys, v, {}, 1, 2).item<float>(), 7, 1e-6);
}

}  // namespace
}  // namespace craft
