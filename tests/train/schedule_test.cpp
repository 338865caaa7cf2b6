#include "train/schedule.h"

#include <gtest/gtest.h>

#include <numbers>

namespace craft {
namespace {

TrainOptions with(Schedule schedule, double warmup) {
    TrainOptions options;
    options.lr = 2;
    options.schedule = schedule;
    options.warmup = warmup;
    return options;
}

TEST(Schedule, WarmupIsStepsOrAShareRoundedUp) {
    EXPECT_EQ(warmup_steps(0, 100), 0);
    EXPECT_EQ(warmup_steps(7, 100), 7);
    EXPECT_EQ(warmup_steps(1, 100), 1);
    EXPECT_EQ(warmup_steps(0.1, 100), 10);
    EXPECT_EQ(warmup_steps(0.1, 101), 11);
    EXPECT_EQ(warmup_steps(0.5, 1), 1);
}

TEST(Schedule, WarmupRisesInEqualStepsToThePeak) {
    for (const auto schedule : {Schedule::constant, Schedule::linear, Schedule::cosine}) {
        const TrainOptions options = with(schedule, 4);
        EXPECT_DOUBLE_EQ(learning_rate(options, 0, 20), 0.5);
        EXPECT_DOUBLE_EQ(learning_rate(options, 1, 20), 1);
        EXPECT_DOUBLE_EQ(learning_rate(options, 3, 20), 2);
        EXPECT_DOUBLE_EQ(learning_rate(options, 4, 20), 2);
        EXPECT_DOUBLE_EQ(learning_rate(with(schedule, 1), 0, 1), 2);  // the one step of a short run
    }
}

TEST(Schedule, AfterTheWarmup) {
    // 4 of 20 steps warm up; step 8 is a quarter of the way through the other 16, step 12 half, step 16 three quarters.
    EXPECT_DOUBLE_EQ(learning_rate(with(Schedule::constant, 4), 16, 20), 2);
    EXPECT_DOUBLE_EQ(learning_rate(with(Schedule::linear, 4), 8, 20), 1.5);
    EXPECT_DOUBLE_EQ(learning_rate(with(Schedule::linear, 4), 16, 20), 0.5);
    EXPECT_DOUBLE_EQ(learning_rate(with(Schedule::cosine, 4), 12, 20), 1);  // 2 * (1 + cos 90°) / 2
    EXPECT_DOUBLE_EQ(learning_rate(with(Schedule::cosine, 4), 8, 20), 1 + std::numbers::sqrt2 / 2);  // 1 + cos 45°
    EXPECT_DOUBLE_EQ(learning_rate(with(Schedule::linear, 0), 0, 20), 2);
    EXPECT_DOUBLE_EQ(learning_rate(with(Schedule::cosine, 0), 19, 20), 1 + std::cos(0.95 * std::numbers::pi));
}

TEST(Schedule, WarmupLongerThanTheRunNeverReachesThePeak) {
    EXPECT_DOUBLE_EQ(learning_rate(with(Schedule::linear, 10), 4, 5), 1);
}

}  // namespace
}  // namespace craft
