#include "train/training_memory.h"

#include <gtest/gtest.h>
#include <torch/types.h>

#include "train/optimizer.h"
#include "train/options.h"

namespace craft {
namespace {

TrainOptions with_average(double average) {
    TrainOptions options;
    options.average = average;
    return options;
}

// Of 1,000 weights: two moments, in bfloat16 a master, with a mean that and the mean. Gradients are 4 bytes a weight.
TEST(TrainingMemory, IsThatOfFloatsForEachWeight) {
    EXPECT_EQ(full_training_bytes(1000, at::kFloat, with_average(0), 1), 4000 + 8000);
    EXPECT_EQ(full_training_bytes(1000, at::kBFloat16, with_average(0), 1), 4000 + 12000);
    EXPECT_EQ(full_training_bytes(1000, at::kBFloat16, with_average(0), 4), 4000 + 3000) << "divided by ranks";
    EXPECT_EQ(full_training_bytes(1000, at::kFloat, with_average(0.9), 1), 4000 + 16000);
}

TEST(TrainingMemory, IsWhatAdamWHolds) {
    for (const at::ScalarType dtype : {at::kFloat, at::kBFloat16})
        for (const double average : {0.0, 0.9}) {
            const at::Tensor leaf = at::ones({7, 5}, dtype).requires_grad_(true);
            const AdamW optimizer({{"w", leaf}}, {.average = average});
            int64_t bytes = 0;
            for (const auto& [name, tensor] : optimizer.state())
                if (!tensor.is_alias_of(leaf)) bytes += static_cast<int64_t>(tensor.nbytes());
            EXPECT_EQ(bytes, optimizer_bytes(35, dtype, with_average(average))) << dtype << ", " << average;
        }
}

}  // namespace
}  // namespace craft
