#include "model/decoder/linear.h"

#include <gtest/gtest.h>
#include <torch/types.h>

namespace craft {
namespace {

// Central differences in float64, through two projections with masks of their own.
TEST(Linear, GradientsUnderDropoutAgreeWithCentralDifferences) {
    const auto noise = [](std::vector<int64_t> shape, uint64_t seed) {
        return at::randn(shape, at::make_generator<at::CPUGeneratorImpl>(seed), at::kDouble);
    };
    Linear linear;
    linear.weight = noise({7, 6}, 1);
    linear.lora_dropout = 0.4;
    linear.projections = {{"one", 0, 4, noise({2, 6}, 2), noise({4, 2}, 3), 0.7},
                          {"two", 4, 3, noise({2, 6}, 4), noise({3, 2}, 5), 1.3}};
    const at::Tensor x = noise({9, 6}, 6), factors = noise({9, 7}, 7), keys = dropout_keys({{4, 1}, {5, 2}}, at::kCPU);
    std::vector<at::Tensor> leaves = {x};
    for (const Projection& part : linear.projections) leaves.insert(leaves.end(), {part.lora_a, part.lora_b});
    for (at::Tensor& leaf : leaves) leaf.requires_grad_(true);
    const auto loss = [&] { return (linear.forward(x, keys) * factors).sum(); };
    loss().backward();
    const at::NoGradGuard no_gradients;
    for (size_t n = 0; n < leaves.size(); ++n) {
        double* const values = leaves[n].data_ptr<double>();
        for (int64_t i = 0; i < leaves[n].numel(); ++i) {
            const double value = values[i], step = 1e-5;
            values[i] = value + step;
            const double above = loss().item<double>();
            values[i] = value - step;
            const double below = loss().item<double>();
            values[i] = value;
            EXPECT_NEAR(leaves[n].grad().view(-1)[i].item<double>(), (above - below) / (2 * step), 1e-8) << n << ", " << i;
        }
    }
}

}  // namespace
}  // namespace craft
