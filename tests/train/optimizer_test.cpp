#include "train/optimizer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <torch/types.h>

#include <algorithm>
#include <cmath>

#include "core/error.h"

namespace craft {
namespace {

using Leaves = std::vector<std::pair<std::string, at::Tensor>>;

at::Tensor leaf_of(std::vector<double> values, at::ScalarType dtype = at::kDouble) {
    return torch::tensor(values, dtype).view({1, -1}).requires_grad_(true);
}

void give_gradient(at::Tensor leaf, std::vector<double> values) {
    leaf.mutable_grad() = torch::tensor(values, leaf.options().requires_grad(false)).view(leaf.sizes());
}

TEST(AdamW, FirstStepMovesByTheLearningRate) {
    // After one step m / (1 - .9) = g and v / (1 - .999) = g^2: the step is lr * g / (|g| + 1e-8), here 0.1 * sign(g).
    const at::Tensor leaf = leaf_of({1, 1, 1});
    AdamW optimizer(Leaves{{"w", leaf}}, {});
    give_gradient(leaf, {4, -0.5, 0});
    optimizer.collect_gradients();
    optimizer.step(0.1);
    EXPECT_NEAR(leaf[0][0].item<double>(), 0.9, 1e-7);
    EXPECT_NEAR(leaf[0][1].item<double>(), 1.1, 1e-7);
    EXPECT_EQ(leaf[0][2].item<double>(), 1);
}

// Of (4, 6) and (2) a part (1, 2) and (2): its norm is the root of 1 + 4 + 4, that of the rest (3, 4) and (0) is 5.
TEST(AdamW, NormsOfAPartAndOfTheRest) {
    const at::Tensor first = leaf_of({1, 1}), second = leaf_of({1});
    AdamW optimizer(Leaves{{"a", first}, {"b", second}}, {});
    const std::vector<at::Tensor> part = {torch::tensor({{1.0, 2.0}}, at::kDouble), torch::tensor({{2.0}}, at::kDouble)};
    give_gradient(first, {4, 6});
    give_gradient(second, {2});
    optimizer.collect_gradients();
    const AdamW::PartNorms norms = optimizer.norms_of(part);
    EXPECT_DOUBLE_EQ(norms.part, 3);
    EXPECT_DOUBLE_EQ(norms.rest, 5);
    EXPECT_DOUBLE_EQ(optimizer.clip(0), std::sqrt(16 + 36 + 4)) << "what was collected is as it was";
    optimizer.drop_gradients();
    EXPECT_DOUBLE_EQ(optimizer.norms_of(part).rest, 3) << "of nothing a part is taken away";
}

TEST(AdamW, FollowsTheFormulaOverSteps) {
    const at::Tensor leaf = leaf_of({0.5});
    AdamW optimizer(Leaves{{"w", leaf}}, {.weight_decay = 0.1});
    double w = 0.5, m = 0, v = 0;
    for (int t = 1; t <= 5; ++t) {
        const double g = 0.3 * t - 0.7, lr = 0.01 * t;
        give_gradient(leaf, {g});
        optimizer.collect_gradients();
        optimizer.step(lr);
        w -= lr * 0.1 * w;
        m = 0.9 * m + 0.1 * g;
        v = 0.999 * v + 0.001 * g * g;
        w -= lr * (m / (1 - std::pow(0.9, t))) / (std::sqrt(v / (1 - std::pow(0.999, t))) + 1e-8);
        EXPECT_NEAR(leaf[0][0].item<double>(), w, 1e-12) << "step " << t;
    }
    EXPECT_EQ(optimizer.steps(), 5);
}

TEST(AdamW, TheAverageFollowsTheWeightsAndLeavesThemAlone) {
    const at::Tensor leaf = leaf_of({0.5}), plain = leaf_of({0.5});
    AdamW optimizer(Leaves{{"w", leaf}}, {.average = 0.25}), without(Leaves{{"w", plain}}, {});
    double average = 0.5;
    for (int t = 1; t <= 6; ++t) {
        for (const auto& [w, trained] : {std::pair(leaf, &optimizer), std::pair(plain, &without)}) {
            give_gradient(w, {0.3 * t - 0.7});
            trained->collect_gradients();
            trained->step(0.1);
        }
        const double weight = plain[0][0].item<double>(), decay = std::min(0.25, (1.0 + t) / (10 + t));
        average = decay * average + (1 - decay) * weight;
        EXPECT_DOUBLE_EQ(leaf[0][0].item<double>(), weight);
        optimizer.show_average();
        EXPECT_NEAR(leaf[0][0].item<double>(), average, 1e-12) << "step " << t;
        optimizer.show_weights();
        EXPECT_DOUBLE_EQ(leaf[0][0].item<double>(), weight);
    }
    const at::Tensor other = leaf_of({9});
    AdamW resumed(Leaves{{"w", other}}, {.average = 0.25});
    resumed.restore(optimizer.state(), optimizer.steps());
    EXPECT_DOUBLE_EQ(other[0][0].item<double>(), leaf[0][0].item<double>());
    resumed.show_average();
    EXPECT_NEAR(other[0][0].item<double>(), average, 1e-12);
    without.show_average();  // none is kept
    EXPECT_DOUBLE_EQ(plain[0][0].item<double>(), leaf[0][0].item<double>());
}

TEST(AdamW, DecayLeavesVectorsAlone) {
    const at::Tensor matrix = leaf_of({1}), norm = torch::ones({1}, at::kDouble).requires_grad_(true);
    AdamW optimizer(Leaves{{"w", matrix}, {"norm", norm}}, {.weight_decay = 0.5});
    optimizer.step(0.1);  // no gradients: only the decay acts, 1 - 0.1 * 0.5
    EXPECT_DOUBLE_EQ(matrix[0][0].item<double>(), 0.95);
    EXPECT_DOUBLE_EQ(norm[0].item<double>(), 1);
}

TEST(AdamW, ClipsTheGlobalNorm) {
    const at::Tensor a = leaf_of({0, 0}), b = leaf_of({0});
    AdamW optimizer(Leaves{{"a", a}, {"b", b}}, {});
    const auto collect = [&] {
        give_gradient(a, {2, 3});
        give_gradient(b, {6});  // sqrt(4 + 9 + 36) = 7
        optimizer.collect_gradients();
    };
    collect();
    EXPECT_DOUBLE_EQ(optimizer.clip(0), 7);  // 0: measured, not clipped
    EXPECT_DOUBLE_EQ(optimizer.clip(8), 7);
    EXPECT_DOUBLE_EQ(optimizer.clip(3.5), 7);
    EXPECT_DOUBLE_EQ(optimizer.clip(100), 3.5);  // halved by the call before
    collect();                                   // a second micro-batch is added: (1 + 2, 1.5 + 3, 3 + 6)
    EXPECT_DOUBLE_EQ(optimizer.clip(0), 10.5);
    optimizer.drop_gradients();
    EXPECT_EQ(optimizer.clip(1), 0);
}

TEST(AdamW, Bfloat16LeavesKeepFloat32Masters) {
    // A hundred steps of 1e-4 each vanish in bfloat16 beside 1 (its next neighbour is 1 - 2^-8 = 0.99609), not in the
    // master.
    const at::Tensor leaf = leaf_of({1}, at::kBFloat16);
    AdamW optimizer(Leaves{{"w", leaf}}, {});
    for (int i = 0; i < 100; ++i) {
        give_gradient(leaf, {1});
        optimizer.collect_gradients();
        optimizer.step(1e-4);
    }
    EXPECT_NEAR(optimizer.state()[0].second.item<double>(), 0.99, 1e-5);
    EXPECT_NEAR(leaf.item<double>(), 0.99, 0.002);
}

TEST(AdamW, GoesOnFromARestoredState) {
    const auto run = [](int first, int last, AdamW& optimizer, const at::Tensor& leaf) {
        for (int t = first; t < last; ++t) {
            give_gradient(leaf, {std::sin(t), std::cos(t)});
            optimizer.collect_gradients();
            optimizer.step(0.01);
        }
    };
    const at::Tensor whole = leaf_of({1, 2}, at::kFloat), half = leaf_of({1, 2}, at::kFloat),
                     rest = leaf_of({0, 0}, at::kFloat);
    AdamW first(Leaves{{"w", whole}}, {}), second(Leaves{{"w", half}}, {}), third(Leaves{{"w", rest}}, {});
    run(0, 9, first, whole);
    run(0, 4, second, half);
    third.restore(second.state(), second.steps());
    run(4, 9, third, rest);
    EXPECT_TRUE(at::equal(whole, rest));
    AdamW other(Leaves{{"other", leaf_of({1})}}, {});
    EXPECT_THAT([&] { other.restore(second.state(), 4); },
                testing::ThrowsMessage<Error>(testing::HasSubstr("weight/other")));
}

}  // namespace
}  // namespace craft
