// The bodies of the GPU's kernels on the CPU, by a block of one thread, against LibTorch; and how rows are given to blocks.
// What stays for *_gpu_test.cpp is that many threads do the same.
#include <gtest/gtest.h>
#include <torch/autograd.h>
#include <torch/types.h>

#include <array>
#include <barrier>
#include <cstring>
#include <limits>
#include <thread>

#include "model/kernels/cuda/bodies.h"
#include "model/kernels/cuda/few_bits.h"
#include "model/kernels/cuda/launch.h"
#include "model/kernels/dropout.h"
#include "model/kernels/quantizer.h"

namespace craft::cuda {
namespace {

constexpr int kThreads = 3;

// A block's shared memory and its barrier.
struct Shared {
    std::barrier<> meeting{kThreads};
    std::array<std::array<unsigned char, 64>, kThreads> parts;
};

struct HostBlock {
    Shared& shared;
    int64_t own;

    int64_t thread() const { return own; }
    int64_t threads() const { return kThreads; }
    template <class State>
    State reduce(const State& state) const {
        static_assert(sizeof(State) <= 64);
        std::memcpy(shared.parts[static_cast<size_t>(own)].data(), &state, sizeof(State));
        shared.meeting.arrive_and_wait();
        State all;
        for (const auto& part : shared.parts) {
            State other;
            std::memcpy(static_cast<void*>(&other), part.data(), sizeof(State));
            all.merge(other);
        }
        shared.meeting.arrive_and_wait();
        return all;
    }
};

at::Tensor float_noise(std::vector<int64_t> shape, uint64_t seed) {
    return at::randn(shape, at::make_generator<at::CPUGeneratorImpl>(seed));
}

double distance(const at::Tensor& a, const at::Tensor& b) {
    return (a.to(at::kDouble) - b.to(at::kDouble)).abs().max().item<double>();
}

// As for_each_row of block.cuh, with one block.
template <class F>
void for_rows(int64_t rows, const F& f) {
    Shared shared;
    std::vector<std::thread> threads;
    for (int i = 0; i < kThreads; ++i) {
        threads.emplace_back([&, i] {
            HostBlock block{shared, i};
            for (int64_t row = 0; row < rows; ++row) f(row, block);
        });
    }
    for (std::thread& thread : threads) thread.join();
}

// Sums of 24 terms of order 1 in float32.
constexpr double kTolerance = 5e-6;

template <int N>
void check_rms_norm(bool from_one) {
    const at::Tensor x = float_noise({5, 24}, 1), weight = float_noise({24}, 2), dy = float_noise({5, 24}, 3);
    const at::Tensor wide = x.to(at::kDouble).requires_grad_(true), factor = weight.to(at::kDouble).requires_grad_(true);
    const at::Tensor normed = wide * (wide.square().mean(-1, true) + 1e-5).rsqrt();
    const at::Tensor expected = from_one ? normed * (1 + factor) : normed * factor;
    expected.backward(dy.to(at::kDouble));
    const at::Tensor y = at::empty_like(x), dx = at::empty_like(x), inverse = at::empty({5});
    RmsNormRows<float> rows{x.const_data_ptr<float>(),
                            weight.const_data_ptr<float>(),
                            inverse.data_ptr<float>(),
                            y.data_ptr<float>(),
                            dy.const_data_ptr<float>(),
                            dx.data_ptr<float>(),
                            /*rows=*/5,
                            /*width=*/24,
                            /*eps=*/1e-5F,
                            from_one};
    for_rows(5, [&](int64_t row, HostBlock& block) { rms_norm_row<N>(rows, row, block); });
    for_rows(5, [&](int64_t row, HostBlock& block) { rms_norm_backward_row<N>(rows, row, block); });
    EXPECT_LT(distance(y, expected.detach()), kTolerance);
    EXPECT_LT(distance(dx, wide.grad()), kTolerance);
    for (int64_t column = 0; column < 24; ++column) {
        const float sum = rms_norm_weight_gradient(rows, column, 0, 2) + rms_norm_weight_gradient(rows, column, 2, 5);
        EXPECT_NEAR(sum, factor.grad()[column].item<double>(), kTolerance);
    }
}

TEST(CudaBodies, RmsNorm) {
    check_rms_norm<1>(false);
    check_rms_norm<4>(false);
    check_rms_norm<4>(true);
}

template <class Weight>
void check_rounding(at::ScalarType weight_type) {
    const at::Tensor x = float_noise({3, 16}, 4).to(at::kBFloat16),
                     own = float_noise({16}, 5).to(at::kBFloat16).to(weight_type);
    const at::Tensor weight = own.to(at::kFloat), y = at::empty_like(x), inverse = at::empty({3});
    RmsNormRows<c10::BFloat16, Weight> rows;
    rows.x = x.const_data_ptr<c10::BFloat16>();
    rows.weight = own.const_data_ptr<Weight>();
    rows.inverse = inverse.data_ptr<float>();
    rows.y = y.data_ptr<c10::BFloat16>();
    rows.rows = 3;
    rows.width = 16;
    rows.eps = 1e-5F;
    for_rows(3, [&](int64_t row, HostBlock& block) { rms_norm_row<8>(rows, row, block); });
    const at::Tensor normed = x.to(at::kFloat) * inverse.unsqueeze(1);
    EXPECT_TRUE(at::equal(y, (normed.to(at::kBFloat16).to(at::kFloat) * weight).to(at::kBFloat16)));
    EXPECT_LT(distance(inverse, (x.to(at::kDouble).square().mean(-1) + 1e-5).rsqrt()), kTolerance);
}

TEST(CudaBodies, RmsNormRoundsBeforeTheWeight) {
    check_rounding<float>(at::kFloat);
    check_rounding<c10::BFloat16>(at::kBFloat16);
}

template <int N>
void check_swiglu() {
    const at::Tensor gate_up = float_noise({3, 40}, 6) * 3, dy = float_noise({3, 20}, 7);
    const at::Tensor wide = gate_up.to(at::kDouble).requires_grad_(true);
    const at::Tensor expected = at::silu(wide.narrow(1, 0, 20)) * wide.narrow(1, 20, 20);
    expected.backward(dy.to(at::kDouble));
    const at::Tensor y = at::empty({3, 20}), d = at::empty_like(gate_up);
    SwigluRows<float> rows{gate_up.const_data_ptr<float>(),
                           y.data_ptr<float>(),
                           dy.const_data_ptr<float>(),
                           d.data_ptr<float>(),
                           /*rows=*/3,
                           /*width=*/20};
    for_rows(3, [&](int64_t row, HostBlock& block) { swiglu_row<N>(rows, row, block); });
    for_rows(3, [&](int64_t row, HostBlock& block) { swiglu_backward_row<N>(rows, row, block); });
    EXPECT_LT(distance(y, expected.detach()), kTolerance);
    EXPECT_LT(distance(d, wide.grad()), kTolerance);
}

TEST(CudaBodies, Swiglu) {
    check_swiglu<1>();
    check_swiglu<4>();
}

TEST(CudaBodies, SwigluOfLargeGates) {
    const at::Tensor gate_up = at::tensor({-200.0F, 200.0F, 2.0F, 3.0F}).view({1, 4}), y = at::empty({1, 2});
    const at::Tensor dy = at::ones({1, 2}), d = at::empty_like(gate_up);
    SwigluRows<float> rows{
        gate_up.const_data_ptr<float>(), y.data_ptr<float>(), dy.const_data_ptr<float>(), d.data_ptr<float>(), 1, 2};
    for_rows(1, [&](int64_t row, HostBlock& block) { swiglu_row<1>(rows, row, block); });
    for_rows(1, [&](int64_t row, HostBlock& block) { swiglu_backward_row<1>(rows, row, block); });
    EXPECT_TRUE(at::equal(y, at::tensor({0.0F, 600.0F}).view({1, 2})));
    EXPECT_TRUE(at::equal(d, at::tensor({0.0F, 3.0F, 0.0F, 200.0F}).view({1, 4})));
}

// Heads of 16, of whose dimensions 2 * half turn; the last of 3 heads is values'.
template <int N>
void check_rotary(int64_t half) {
    const at::Tensor from = float_noise({4, 3, 16}, 8), angles = float_noise({4, half}, 9), cos = angles.cos(),
                     sin = angles.sin();
    const at::Tensor to = at::empty_like(from), back = at::empty_like(from);
    RotaryRows<float> rows{from.const_data_ptr<float>(),
                           to.data_ptr<float>(),
                           cos.const_data_ptr<float>(),
                           sin.const_data_ptr<float>(),
                           4,
                           3,
                           2,
                           16,
                           half,
                           1.0F};
    for_rows(4, [&](int64_t row, HostBlock& block) { rotary_row<N>(rows, row, block); });
    const at::Tensor a = from.narrow(2, 0, half), b = from.narrow(2, half, half), c = cos.unsqueeze(1), s = sin.unsqueeze(1);
    at::Tensor expected = from.clone();
    expected.narrow(2, 0, half).narrow(1, 0, 2).copy_((a * c - b * s).narrow(1, 0, 2));
    expected.narrow(2, half, half).narrow(1, 0, 2).copy_((b * c + a * s).narrow(1, 0, 2));
    EXPECT_LT(distance(to, expected), 1e-6);
    rows.from = to.const_data_ptr<float>();
    rows.to = back.data_ptr<float>();
    rows.sign = -1;
    for_rows(4, [&](int64_t row, HostBlock& block) { rotary_row<N>(rows, row, block); });
    EXPECT_LT(distance(back, from), 1e-6);
}

TEST(CudaBodies, Rotary) {
    check_rotary<1>(8);
    check_rotary<4>(8);
    check_rotary<4>(4);
    check_rotary<1>(3);
}

TEST(CudaBodies, RotaryWithoutAnglesMovesAllAsItIs) {
    const at::Tensor from = float_noise({2, 3, 8}, 10), to = at::empty_like(from);
    RotaryRows<float> rows;
    rows.from = from.const_data_ptr<float>();
    rows.to = to.data_ptr<float>();
    rows.rows = 2;
    rows.heads = 3;
    rows.turning = 2;
    rows.head_dim = 8;
    for_rows(2, [&](int64_t row, HostBlock& block) { rotary_row<4>(rows, row, block); });
    EXPECT_TRUE(at::equal(to, from));
}

template <int N>
void check_cross_entropy(float cap) {
    const at::Tensor logits = float_noise({4, 28}, 11) * 6, targets = at::tensor({0, 27, 13, 4}, at::kLong),
                     factors = float_noise({4}, 12);
    const at::Tensor wide = logits.to(at::kDouble).requires_grad_(true);
    const at::Tensor capped = cap > 0 ? (wide / cap).tanh() * cap : wide, logsoftmax = capped.log_softmax(-1);
    const at::Tensor expected = logsoftmax.gather(1, targets.unsqueeze(1)).squeeze(1);
    expected.backward(factors.to(at::kDouble));
    const at::Tensor logprobs = at::empty({4}), lse = at::empty({4}), entropy = at::empty({4}),
                     best = at::empty({4}, at::kLong), gradients = at::empty_like(logits);
    CrossEntropyRows<float, float> rows;
    rows.logits = logits.const_data_ptr<float>();
    rows.targets = targets.const_data_ptr<int64_t>();
    rows.cap = cap;
    rows.rows = 4;
    rows.vocabulary = 28;
    rows.logprobs = logprobs.data_ptr<float>();
    rows.lse = lse.data_ptr<float>();
    rows.entropy = entropy.data_ptr<float>();
    rows.best = best.data_ptr<int64_t>();
    rows.factors = factors.const_data_ptr<float>();
    rows.gradients = gradients.data_ptr<float>();
    for_rows(4, [&](int64_t row, HostBlock& block) { cross_entropy_row<N>(rows, row, block); });
    for_rows(4, [&](int64_t row, HostBlock& block) { cross_entropy_backward_row<N>(rows, row, block); });
    EXPECT_LT(distance(logprobs, expected.detach()), kTolerance);
    EXPECT_LT(distance(entropy, -(logsoftmax.exp() * logsoftmax).sum(-1).detach()), kTolerance);
    EXPECT_TRUE(at::equal(best, logits.argmax(-1)));
    EXPECT_LT(distance(gradients, wide.grad()), kTolerance);
    rows.gradients = logits.data_ptr<float>();  // in place
    for_rows(4, [&](int64_t row, HostBlock& block) { cross_entropy_backward_row<N>(rows, row, block); });
    EXPECT_TRUE(at::equal(logits, gradients));
}

TEST(CudaBodies, CrossEntropy) {
    check_cross_entropy<1>(0);
    check_cross_entropy<4>(0);
    check_cross_entropy<4>(5);
}

// However logits are shared out among threads, their states merge to that of all.
TEST(CudaBodies, SoftmaxStatesMergeInAnyShares) {
    at::Tensor logits = float_noise({97}, 13) * 20;
    logits[31] = logits[64] = 90.0F;  // the top, twice
    logits[5] = -std::numeric_limits<float>::infinity();
    const float* const values = logits.const_data_ptr<float>();
    for (const int64_t threads : {1, 2, 32, 96, 128}) {
        SoftmaxState all;
        for (int64_t thread = threads - 1; thread >= 0; --thread) {  // also threads without a logit
            SoftmaxState own;
            for (int64_t i = thread; i < 97; i += threads) own.add(values[i], i);
            all.merge(own);
        }
        EXPECT_EQ(all.best, 31);
        EXPECT_NEAR(all.log_sum_exp(), logits.to(at::kDouble).logsumexp(0).item<double>(), 1e-5);
        EXPECT_NEAR(all.entropy(), std::log(2.0), 1e-3);
    }
}

TEST(CudaBodies, ANotANumberStaysOne) {
    SoftmaxState first, last;
    for (const float logit : {NAN, 1.0F, 2.0F}) first.add(logit, 0);
    for (const float logit : {1.0F, 2.0F, NAN}) last.add(logit, 0);
    EXPECT_TRUE(std::isnan(first.log_sum_exp()));
    EXPECT_TRUE(std::isnan(last.log_sum_exp()));
}

// The values of a weight as the kernels' bodies make them, in rows one element further apart than they are long.
template <int N, class T>
at::Tensor values_by_bodies(const QuantizedWeight& q, at::ScalarType dtype) {
    const at::Tensor to = at::zeros({q.rows, q.columns + N}, dtype);
    const auto fill = [&](auto rows) {
        rows.to = to.data_ptr<T>();
        rows.rows = q.rows;
        rows.width = q.columns;
        rows.stride = to.stride(0);
        return rows;
    };
    if (q.kind == Quantization::int8) {
        auto rows = fill(Int8Rows<T>());
        rows.codes = q.codes.const_data_ptr<int8_t>();
        rows.scales = q.scales.const_data_ptr<float>();
        for_rows(q.rows, [&](int64_t row, HostBlock& block) { int8_row<N>(rows, row, block); });
    } else {
        auto rows = fill(Nf4Rows<T>());
        rows.codes = q.codes.const_data_ptr<uint8_t>();
        rows.block = q.block;
        if (q.is_nested()) {
            rows.nested_codes = q.scales.const_data_ptr<uint8_t>();
            rows.nested_scales = q.nested_scales.const_data_ptr<float>();
            rows.nested_map = q.nested_map.const_data_ptr<float>();
            rows.nested_block = q.nested_block;
            rows.offset = q.offset;
        } else {
            rows.scales = q.scales.const_data_ptr<float>();
        }
        for_rows(q.rows, [&](int64_t row, HostBlock& block) { nf4_row<N>(rows, kNf4Values.data(), row, block); });
    }
    EXPECT_EQ(to.narrow(1, q.columns, N).abs().max().item<double>(), 0);  // nothing after a row is touched
    return to.narrow(1, 0, q.columns);
}

// Rows that end within a block of scales and, where packs allow it, within a byte; more blocks than one nested scale has.
TEST(CudaBodies, WeightsInFewBits) {
    for (const auto& [rows, columns] : {std::pair{5, 24}, {3, 7}, {1, 1}, {300, 96}}) {
        for (const Quantization kind : {Quantization::int8, Quantization::nf4}) {
            QuantizedWeight q = quantize(float_noise({rows, columns}, 14), kind, "w");
            for (const bool nested : {true, false}) {
                if (!nested && kind == Quantization::nf4) {
                    q.scales = q.block_scales();
                    q.nested_scales = q.nested_map = at::Tensor();
                }
                const at::Tensor floats = q.values(at::kFloat), bfloats = q.values(at::kBFloat16);
                EXPECT_TRUE(at::equal((values_by_bodies<1, float>(q, at::kFloat)), floats));
                EXPECT_TRUE(at::equal((values_by_bodies<1, c10::BFloat16>(q, at::kBFloat16)), bfloats));
                if (columns % 8 != 0) continue;
                EXPECT_TRUE(at::equal((values_by_bodies<4, float>(q, at::kFloat)), floats));
                EXPECT_TRUE(at::equal((values_by_bodies<8, c10::BFloat16>(q, at::kBFloat16)), bfloats));
            }
        }
    }
}

// The same bits as on the CPU: 29 columns, of which the last Philox block is cut off, and 32.
template <int N, class T>
void check_dropped(int64_t width) {
    const at::Tensor x = float_noise({5, width}, 14).to(c10::CppTypeToScalarType<T>::value),
                     keys = dropout_keys({{2, 7}, {3, ~uint64_t{0}}}, at::kCPU), y = at::empty_like(x);
    DroppedRows<T> rows;
    rows.x = x.const_data_ptr<T>();
    rows.keys = keys.const_data_ptr<int64_t>();
    rows.y = y.data_ptr<T>();
    rows.rows = 5;
    rows.width = width;
    rows.stream = 11;
    rows.dropped = dropped_words(0.3);
    rows.scale = static_cast<float>(1 / 0.7);
    for_rows(5, [&](int64_t row, HostBlock& block) { dropped_row<N>(rows, row, block); });
    const at::Tensor expected = dropped(x, 0.3, keys, 11);
    EXPECT_TRUE(at::equal(y, expected)) << N;
    EXPECT_GT(expected.count_nonzero().item<int64_t>(), 0);
}

TEST(CudaBodies, DroppedRowsAreTheCpus) {
    check_dropped<1, float>(29);
    check_dropped<4, float>(32);
    check_dropped<8, c10::BFloat16>(32);
    check_dropped<1, c10::BFloat16>(29);
}

TEST(CudaLaunch, BlocksAreWholeWarpsAndRowsHaveOneEach) {
    EXPECT_EQ(launch_for_rows(7, 1).threads, 32);
    EXPECT_EQ(launch_for_rows(7, 33).threads, 64);
    EXPECT_EQ(launch_for_rows(7, 512).threads, 512);
    EXPECT_EQ(launch_for_rows(7, 1 << 20).threads, 512);
    EXPECT_EQ(launch_for_rows(7, 100).blocks, 7);
    EXPECT_EQ(launch_for_rows(int64_t{1} << 40, 100).blocks, 1 << 20);
}

TEST(CudaLaunch, PacksAreOnlyWhereAllIsAligned) {
    alignas(16) static float memory[8];
    EXPECT_EQ(pack_size(4, {8, 4}, {memory}), 4);
    EXPECT_EQ(pack_size(2, {8}, {memory}), 8);
    EXPECT_EQ(pack_size(2, {12}, {memory}), 1);
    EXPECT_EQ(pack_size(4, {8}, {memory, memory + 1}), 1);
}

TEST(CudaLaunch, PartialSumsCoverAllRows) {
    for (const int64_t rows : {1, 255, 256, 257, 100000}) {
        const int64_t each = rows_per_partial(rows), parts = (rows + each - 1) / each;
        EXPECT_LE(parts, kMaxPartials);
        EXPECT_GE(parts * each, rows);
        EXPECT_LT((parts - 1) * each, rows);
    }
}

}  // namespace
}  // namespace craft::cuda
