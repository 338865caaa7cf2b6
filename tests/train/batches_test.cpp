#include "train/batches.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "tests/train/small_training.h"

namespace craft::test {
namespace {

TEST(Batches, EveryEpochHoldsEveryExampleOnce) {
    TrainOptions options = small_options(LossName::sft);
    options.batch_size = 8;
    for (const auto order : {Order::sequential, Order::shuffled}) {
        options.order = order;
        std::vector<std::vector<size_t>> epochs;
        for (int64_t epoch = 0; epoch < 2; ++epoch) {
            std::vector<size_t> seen;
            for (int64_t step = 0; step < 3; ++step) {
                const auto batch = batch_of_step(20, options, epoch * 3 + step);
                EXPECT_EQ(batch.size(), step == 2 ? 4U : 8U);
                seen.insert(seen.end(), batch.begin(), batch.end());
            }
            EXPECT_EQ(std::set<size_t>(seen.begin(), seen.end()).size(), 20U);
            epochs.push_back(seen);
        }
        EXPECT_EQ(std::is_sorted(epochs[0].begin(), epochs[0].end()), order == Order::sequential);
        EXPECT_EQ(epochs[0] == epochs[1], order == Order::sequential);
    }
}

}  // namespace
}  // namespace craft::test
