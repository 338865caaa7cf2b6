#include "model/kernels/attention.h"

#include <ATen/Parallel.h>
#include <gtest/gtest.h>
#include <torch/autograd.h>
#include <torch/types.h>

#include "model/kernels/bfloat16_products.h"
#include "model/kernels/cpu_kernels.h"
#include "model/kernels/ops.h"

namespace craft {
namespace {

// Trees with and without prefixes, branches of one token, lengths on both sides of the kernels' block sizes (16, 48).
const std::vector<Segment> kSegments = {{0, 70, 0, 0},    {70, 71, 0, 70},      {71, 168, 0, 70},    {168, 169, 0, 0},
                                        {169, 217, 0, 0}, {217, 265, 169, 217}, {265, 281, 169, 217}};

// The same, and branches that see a beginning of the last prefix: one row of it, an odd number, two blocks and all.
std::vector<Segment> with_beginnings() {
    std::vector<Segment> segments = kSegments;
    for (const Segment& s : {Segment{281, 300, 169, 170}, {300, 301, 169, 190}, {301, 350, 169, 201}, {350, 358, 169, 217}})
        segments.push_back(s);
    return segments;
}

at::Tensor double_noise(std::vector<int64_t> shape, uint64_t seed) {
    return at::randn(shape, at::make_generator<at::CPUGeneratorImpl>(seed), at::kDouble);
}

// float32 (our kernels where head_dim is a multiple of 16, else the library's) against float64 (the library's), which the
// decoder's tests compare with the plain formula. Sums of up to 167 products of order 1: 1e-5 covers the rounding.
void expect_float32_near_float64(const std::vector<Segment>& segments) {
    for (const AttentionShape shape :
         {AttentionShape{4, 2, 64}, AttentionShape{3, 1, 16}, AttentionShape{2, 2, 48}, AttentionShape{4, 1, 24}}) {
        std::vector<int64_t> positions;
        for (const Segment& s : segments)
            for (int64_t i = s.begin; i < s.end; ++i) positions.push_back(i - s.begin + s.prefix_end - s.prefix_begin);
        const int64_t width = (shape.heads + 2 * shape.kv_heads) * shape.head_dim;
        const at::Tensor values = double_noise({segments.back().end, width}, 1),
                         weights = double_noise({segments.back().end, shape.heads * shape.head_dim}, 2);
        std::vector<at::Tensor> outs, gradients;
        for (const at::ScalarType dtype : {at::kDouble, at::kFloat}) {
            const at::Tensor qkv = values.to(dtype, false, true).requires_grad_(true);
            const RotaryTable table =
                rotary_table(at::tensor(positions), plain_frequencies(shape.head_dim, 10000), 1, dtype);
            const at::Tensor out = packed_attention(qkv, table, shape, segments);
            (out * weights.to(dtype)).sum().backward();
            outs.push_back(out.detach().to(at::kDouble));
            gradients.push_back(qkv.grad().to(at::kDouble));
        }
        EXPECT_LT((outs[0] - outs[1]).abs().max().item<double>(), 1e-5) << shape.head_dim;
        EXPECT_LT((gradients[0] - gradients[1]).abs().max().item<double>(), 5e-5) << shape.head_dim;
        EXPECT_GT(gradients[0].abs().max().item<double>(), 1);
    }
}

TEST(PackedAttention, Float32AgreesWithFloat64) {
    expect_float32_near_float64(kSegments);
}

TEST(PackedAttention, BranchesMaySeeABeginningOfTheirPrefix) {
    expect_float32_near_float64(with_beginnings());
}

// Beside the library's in float64 on the same rows. Rows and outputs are rounded by 2^-9 of a value at most, 0.17 % on
// average (root of squares); where the processor multiplies bfloat16 so are turned heads, softmax weights and scores'
// gradients.
void expect_bfloat16_near_float64(const std::vector<Segment>& segments, int64_t head_dim) {
    const AttentionShape shape{4, 2, head_dim};
    std::vector<int64_t> positions;
    for (const Segment& s : segments)
        for (int64_t i = s.begin; i < s.end; ++i) positions.push_back(i - s.begin + s.prefix_end - s.prefix_begin);
    const auto tokens = static_cast<int64_t>(positions.size());
    const at::Tensor values = double_noise({tokens, 8 * head_dim}, 1).to(at::kBFloat16),
                     weights = double_noise({tokens, 4 * head_dim}, 2).to(at::kBFloat16);
    std::vector<at::Tensor> outs, gradients, rotated(2);
    for (const at::ScalarType dtype : {at::kDouble, at::kBFloat16}) {
        const at::Tensor qkv = values.to(dtype, false, true).requires_grad_(true);
        const RotaryTable table = rotary_table(at::tensor(positions), plain_frequencies(head_dim, 10000), 1, dtype);
        const at::Tensor out = packed_attention(qkv, table, shape, segments, &rotated[outs.size()]);
        (out * weights.to(dtype)).sum().backward();
        EXPECT_EQ(out.scalar_type(), dtype);
        EXPECT_EQ(rotated[outs.size()].scalar_type(), dtype);
        outs.push_back(out.detach().to(at::kDouble));
        gradients.push_back(qkv.grad().to(at::kDouble));
    }
    const auto apart = [](const at::Tensor& a, const at::Tensor& b) { return ((a - b).norm() / a.norm()).item<double>(); };
    const double most = has_bfloat16_products() ? 0.005 : 0.0025;
    EXPECT_LT(apart(outs[0], outs[1]), most);
    for (const auto& [first, heads] : {std::pair{0, 4}, {4, 2}, {6, 2}})  // queries, keys, values
        EXPECT_LT(apart(gradients[0].narrow(1, first * head_dim, heads * head_dim),
                        gradients[1].narrow(1, first * head_dim, heads * head_dim)),
                  most)
            << first;
    EXPECT_LT((outs[0] - outs[1]).abs().max().item<double>(), 4.0 / 128);
    EXPECT_LT((rotated[0] - rotated[1].to(at::kDouble)).abs().max().item<double>(), 8.0 / 256);
}

TEST(PackedAttention, Bfloat16RoundsLittle) {
    expect_bfloat16_near_float64(kSegments, 32);
    expect_bfloat16_near_float64(with_beginnings(), 32);
    // On both sides of the kernels' 12, 48 and 192 queries and positions, odd lengths among them.
    expect_bfloat16_near_float64({{0, 401, 0, 0}, {401, 402, 0, 401}, {402, 797, 0, 401}}, 64);
    const std::vector<Segment> short_ones = {{0, 192, 0, 0}, {192, 384, 0, 192}, {384, 385, 0, 0}, {385, 397, 384, 385}};
    for (const int64_t head_dim : {16, 48, 80, 128}) expect_bfloat16_near_float64(short_ones, head_dim);
}

TEST(PackedAttention, BitsDoNotDependOnThreads) {
    const int threads = at::get_num_threads();
    const AttentionShape shape{6, 2, 48};
    for (const at::ScalarType dtype : {at::kFloat, at::kBFloat16}) {
        std::vector<at::Tensor> outs, gradients;
        for (const int count : {1, 3}) {
            at::set_num_threads(count);
            const at::Tensor qkv = double_noise({281, 480}, 1).to(dtype).requires_grad_(true);
            const RotaryTable table = rotary_table(at::arange(281), plain_frequencies(48, 10000), 1, dtype);
            const at::Tensor out = packed_attention(qkv, table, shape, kSegments);
            out.backward(double_noise({281, 288}, 2).to(dtype));
            outs.push_back(out.detach());
            gradients.push_back(qkv.grad());
        }
        EXPECT_TRUE(at::equal(outs[0], outs[1])) << dtype;
        EXPECT_TRUE(at::equal(gradients[0], gradients[1])) << dtype;
    }
    at::set_num_threads(threads);
}

TEST(PackedAttention, EveryKernelSetAgrees) {
    // The same segment through each instruction set: forward and backward.
    const int64_t length = 61, before = 23, dim = 32;
    const at::Tensor q = double_noise({length, dim}, 3).to(at::kFloat), k = double_noise({length, dim}, 4).to(at::kFloat),
                     v = double_noise({length, dim}, 5).to(at::kFloat), pk = double_noise({before, dim}, 6).to(at::kFloat),
                     pv = double_noise({before, dim}, 7).to(at::kFloat),
                     d_out = double_noise({length, dim}, 8).to(at::kFloat);
    const auto packed = [&](const at::Tensor& rows) {
        std::vector<float> panels(static_cast<size_t>(padded(rows.size(0)) * dim));
        pack_panels(rows.const_data_ptr<float>(), rows.size(0), dim, panels.data());
        return panels;
    };
    const auto k_panels = packed(k), v_panels = packed(v), pk_panels = packed(pk), pv_panels = packed(pv);
    std::vector<at::Tensor> first;
    for (const CpuKernels* set : usable_cpu_kernels()) {
        at::Tensor out = at::empty({length, dim}), lse = at::empty({length}), dq = at::empty({length, dim});
        at::Tensor dk = at::zeros({length, dim}), dv = at::zeros({length, dim}), dpk = at::zeros({before, dim}),
                   dpv = at::zeros({before, dim});
        SegmentTask task;
        task.prefix = {before,
                       {pk.const_data_ptr<float>(), pk_panels.data()},
                       {pv.const_data_ptr<float>(), pv_panels.data()},
                       dpk.data_ptr<float>(),
                       dpv.data_ptr<float>()};
        task.own = {length,
                    {k.const_data_ptr<float>(), k_panels.data()},
                    {v.const_data_ptr<float>(), v_panels.data()},
                    dk.data_ptr<float>(),
                    dv.data_ptr<float>()};
        task.head_dim = task.out_stride = dim;
        task.queries = q.const_data_ptr<float>();
        task.out = out.data_ptr<float>();
        task.lse = lse.data_ptr<float>();
        task.d_out = d_out.const_data_ptr<float>();
        task.d_queries = dq.data_ptr<float>();
        std::vector<float> scratch;
        set->segment_forward(task, scratch);
        set->segment_backward(task, scratch);
        const std::vector<at::Tensor> all = {out, lse, dq, dk, dv, dpk, dpv};
        if (first.empty()) first = all;
        for (size_t i = 0; i < all.size(); ++i)
            EXPECT_LT((all[i] - first[i]).abs().max().item<double>(), 5e-5) << set->name << " " << i;
    }
}

TEST(SwiGlu, Float32AgreesWithFloat64) {
    const at::Tensor values = double_noise({5, 2 * 37}, 9) * 3, weights = double_noise({5, 37}, 10);
    std::vector<at::Tensor> outs, gradients;
    for (const at::ScalarType dtype : {at::kDouble, at::kFloat}) {
        const at::Tensor x = values.to(dtype, false, true).requires_grad_(true);
        const at::Tensor y = swiglu(x);
        (y * weights.to(dtype)).sum().backward();
        outs.push_back(y.detach().to(at::kDouble));
        gradients.push_back(x.grad().to(at::kDouble));
    }
    EXPECT_LT((outs[0] - outs[1]).abs().max().item<double>(), 2e-5);
    EXPECT_LT((gradients[0] - gradients[1]).abs().max().item<double>(), 2e-5);
    EXPECT_GT(gradients[0].abs().max().item<double>(), 1);
}

}  // namespace
}  // namespace craft
