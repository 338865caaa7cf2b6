#include "train/gradient_reducer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <torch/autograd.h>
#include <torch/types.h>

#include "core/error.h"

namespace craft {
namespace {

std::vector<at::Tensor> leaves() {
    return {at::arange(6, at::kFloat).view({2, 3}).set_requires_grad(true),
            at::ones({3}, at::kDouble).set_requires_grad(true), at::full({2}, 2, at::kBFloat16).set_requires_grad(true),
            at::ones({1}).set_requires_grad(true)};
}

// d/dw0 = 2 w0, d/dw1 = 3, d/dw2 = 1; the last leaf has no part in it.
at::Tensor loss_of(const std::vector<at::Tensor>& w) {
    return w[0].pow(2).sum() + 3 * w[1].sum() + w[2].sum();
}

TEST(GradientReducer, MovesGradientsToBuffersInTheLastBackwardPassOnly) {
    for (const int64_t bucket_bytes : {1, 1 << 20}) {
        const auto w = leaves();
        GradientReducer reducer(ProcessGroup::alone(), w, bucket_bytes);
        for (int step = 0; step < 2; ++step) {
            reducer.begin();
            loss_of(w).backward();
            EXPECT_TRUE(w[0].grad().defined()) << "not watched: the leaves' own";
            EXPECT_EQ(reducer.buffers()[0].sum().item<double>(), 0);
            for (auto leaf : w) leaf.mutable_grad() = at::Tensor();
            reducer.watch_backward();
            loss_of(w).backward();
            for (const auto& leaf : w) EXPECT_FALSE(leaf.grad().defined());
            reducer.finish();
            EXPECT_TRUE(at::equal(reducer.buffers()[0], 2 * w[0].detach()));
            EXPECT_TRUE(at::equal(reducer.buffers()[1], at::full({3}, 3, at::kDouble)));
            EXPECT_TRUE(at::equal(reducer.buffers()[2], at::ones({2}))) << "float32";
            EXPECT_TRUE(at::equal(reducer.buffers()[3], at::zeros({1})));
        }
    }
}

TEST(GradientReducer, OneGradientOfEachWeightInAWatchedPass) {
    const auto w = leaves();
    GradientReducer reducer(ProcessGroup::alone(), w);
    reducer.begin();
    reducer.watch_backward();
    loss_of(w).backward();
    EXPECT_THROW(loss_of(w).backward(), Error);
}

TEST(GradientReducer, TakesItsHooksWithIt) {
    const auto w = leaves();
    {
        GradientReducer reducer(ProcessGroup::alone(), w);
        reducer.begin();
        reducer.watch_backward();
    }
    loss_of(w).backward();
    EXPECT_TRUE(w[0].grad().defined());
}

}  // namespace
}  // namespace craft
