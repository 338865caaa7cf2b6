// Adapters' gradients on the GPU against float64 on the CPU.
#include "core/rng.h"
#include "model/decoder/linear.h"
#include "tests/model/gpu.h"

namespace craft::test {
namespace {

using LinearGpu = Gpu;

constexpr int64_t kTokens = 3000, kIn = 96, kOut = 80, kRank = 8;

// Gradients of A and B [projections] in float64: what linear.cpp says of them, with what is rounded to bfloat16 there
// rounded here, but for the sums over tokens themselves.
struct ExpectedGradients {
    std::vector<at::Tensor> a, b;

    ExpectedGradients(const at::Tensor& x, const at::Tensor& dy, const std::vector<Projection>& projections, double p,
                      const std::vector<at::Tensor>& dropped_x) {
        const auto narrow = [](const at::Tensor& wide) { return wide.to(at::kBFloat16).to(at::kDouble); };
        for (size_t i = 0; i < projections.size(); ++i) {
            const Projection& part = projections[i];
            const at::Tensor input = p > 0 ? dropped_x[i] : x, d = dy.narrow(1, part.first, part.rows);
            const at::Tensor own_a = narrow(part.lora_a.detach().cpu()), own_b = narrow(part.lora_b.detach().cpu());
            b.push_back(at::mm(d.t(), narrow(at::mm(input, own_a.t()))) * part.lora_scale);
            a.push_back(at::mm(narrow(at::mm(d, own_b)).t(), input) * part.lora_scale);
        }
    }
};

// The scale is a power of two, so that it rounds nothing. The bound is a quarter of what rounding the sums to bfloat16 would
// do to some of them; the CPU rounds them.
TEST_F(LinearGpu, GradientsOfAdaptersAreFloat32Sums) {
    const at::Tensor x = rounded(noise({kTokens, kIn}, 1), at::kBFloat16);
    for (const size_t count : {size_t{1}, size_t{3}}) {  // three are computed together where there is no dropout
        for (const double p : {0.0, 0.25}) {
            Linear linear;
            linear.weight = on_gpu(noise({static_cast<int64_t>(count) * kOut, kIn}, 2), at::kBFloat16);
            linear.lora_dropout = p;
            const at::Tensor keys = p > 0 ? dropout_keys({{1000, 1}, {kTokens - 1000, 2}}, device()) : at::Tensor();
            std::vector<at::Tensor> dropped_x;
            for (size_t i = 0; i < count; ++i) {
                const auto leaf = [&](std::vector<int64_t> shape, uint64_t seed) {
                    return on_gpu(noise(std::move(shape), seed), at::kFloat).requires_grad_(true);
                };
                linear.projections.push_back({"part" + std::to_string(i), static_cast<int64_t>(i) * kOut, kOut,
                                              leaf({kRank, kIn}, 3 + i), leaf({kOut, kRank}, 13 + i), 0.5});
                if (p > 0)
                    dropped_x.push_back(
                        rounded(dropped(x.to(at::kBFloat16), p, keys.cpu(), stable_hash(linear.projections.back().name)),
                                at::kBFloat16));
            }
            const at::Tensor dy = rounded(noise({kTokens, static_cast<int64_t>(count) * kOut}, 4), at::kBFloat16);
            linear.forward(on_gpu(x, at::kBFloat16).requires_grad_(true), keys).backward(on_gpu(dy, at::kBFloat16));
            const ExpectedGradients expected(x, dy, linear.projections, p, dropped_x);
            for (size_t i = 0; i < count; ++i) {
                for (const auto& [leaf, gradient] : {std::pair{linear.projections[i].lora_a, expected.a[i]},
                                                     {linear.projections[i].lora_b, expected.b[i]}}) {
                    ASSERT_EQ(leaf.grad().scalar_type(), at::kFloat);
                    EXPECT_LT(apart(leaf.grad(), gradient), is_rehearsal() ? 1.0 / 256 : 1.0 / 2048) << count << ", " << p;
                    if (is_rehearsal()) continue;
                    EXPECT_FALSE(at::equal(leaf.grad(), leaf.grad().to(at::kBFloat16).to(at::kFloat))) << "sums are rounded";
                }
            }
        }
    }
}

}  // namespace
}  // namespace craft::test
