#include "train/work_plan.h"

#include <gtest/gtest.h>

#include <set>

#include "tests/train/small_training.h"
#include "train/batch_loss.h"

namespace craft {
namespace {

// Sequences of these lengths.
std::vector<TokenTree> sequences(const std::vector<int64_t>& lengths) {
    std::vector<TokenTree> trees;
    for (const int64_t length : lengths) {
        MaskedTokens row{std::vector<int64_t>(static_cast<size_t>(length), 3), {}};
        row.counted.assign(row.tokens.size(), 1);
        row.counted.front() = 0;
        trees.push_back({{}, {row}});
    }
    return trees;
}

TrainOptions options_of(int64_t batch_size, int64_t micro_batch_tokens) {
    TrainOptions options = test::small_options(LossName::sft);
    options.order = Order::sequential;
    options.batch_size = batch_size;
    options.micro_batch_tokens = micro_batch_tokens;
    return options;
}

std::vector<int64_t> tokens_of(const WorkPlan& plan) {
    std::vector<int64_t> tokens;
    for (const PlannedMicroBatch& one : plan.micro_batches) tokens.push_back(one.tokens);
    return tokens;
}

TEST(WorkPlan, HasTheMicroBatchesOfTheRun) {
    const auto config = test::tiny_decoder().config();
    const auto data = sequences({4, 5, 6, 2, 9, 3, 3});
    const WorkPlan plan = plan_work(config, data, options_of(4, 10), at::kCPU, 1);
    EXPECT_EQ(tokens_of(plan), (std::vector<int64_t>{9, 8, 9, 6}));  // 4+5 | 6+2, then 9 | 3+3
    EXPECT_EQ(plan.epoch_steps, 2);
    EXPECT_EQ(plan.epoch_tokens, 32);
    EXPECT_EQ(plan.largest.tokens, 9);
    EXPECT_TRUE(plan.accumulates);
    EXPECT_EQ(plan.micro_batches[1].examples, (std::vector<size_t>{2, 3}));
    EXPECT_GT(plan.micro_batches[0].operations, plan.micro_batches[3].operations);
    EXPECT_FALSE(plan_work(config, data, options_of(4, 100), at::kCPU, 1).accumulates);
}

TEST(WorkPlan, FindsTheLargestMicroBatchOfAllEpochs) {
    const auto config = test::tiny_decoder().config();
    const auto data = sequences({4, 5, 6, 2, 9, 3, 3, 8, 8, 2});
    TrainOptions options = options_of(2, 100);
    options.order = Order::shuffled;
    options.epochs = 40;  // in one of them 9 and 8 meet
    EXPECT_EQ(plan_work(config, data, options, at::kCPU, 1).largest.tokens, 17);
}

TEST(WorkPlan, OfRanksIsTheBusiestOnes) {
    const auto config = test::tiny_decoder().config();
    const WorkPlan plan = plan_work(config, sequences({4, 9, 3, 3}), options_of(4, 100), at::kCPU, 2);  // 9 | 4+3+3
    EXPECT_EQ(plan.largest.tokens, 10);
    ASSERT_EQ(plan.micro_batches.size(), 1u);
    EXPECT_EQ(plan.epoch_tokens, 19);
    EXPECT_FALSE(plan.accumulates);
}

TEST(WorkSamples, StandForAllOperations) {
    const auto config = test::tiny_decoder().config();
    const WorkPlan plan =
        plan_work(config, sequences({4, 9, 3, 3, 7, 5, 12, 2, 6, 10, 11}), options_of(1, 100), at::kCPU, 1);
    double all = 0;
    for (const PlannedMicroBatch& one : plan.micro_batches) all += one.operations;
    for (const size_t count : {size_t{1}, size_t{3}, size_t{100}}) {
        const auto samples = sample_work(plan, count);
        EXPECT_EQ(samples.size(), std::min<size_t>(count, 11));
        double stood_for = 0;
        std::set<std::vector<size_t>> different;
        for (const WorkSample& sample : samples) {
            stood_for += sample.weight * sample.batch.operations;
            different.insert(sample.batch.examples);
        }
        EXPECT_NEAR(stood_for, all, 1e-9 * all);
        EXPECT_EQ(different.size(), samples.size());
    }
}

}  // namespace
}  // namespace craft
