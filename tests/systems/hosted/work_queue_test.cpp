#include "systems/hosted/work_queue.h"

#include <gtest/gtest.h>

namespace craft {
namespace {

std::vector<Request> requests_of(std::initializer_list<std::pair<uint64_t, uint64_t>> items_and_samples) {
    std::vector<Request> requests;
    for (const auto& [item, sample] : items_and_samples)
        requests.push_back({.conversation = {}, .item = item, .sample = sample});
    return requests;
}

const SamplingOptions kSampling;

TEST(WorkQueue, SamplesOfAnItemAreOneJobWhereTheyAreGrouped) {
    const auto requests = requests_of({{1, 0}, {1, 1}, {1, 2}, {2, 3}, {2, 5}});
    WorkQueue queue(true);
    queue.add(std::make_shared<Batch>(requests, kSampling));
    std::vector<std::pair<size_t, int64_t>> jobs;
    while (const auto job = queue.next(0)) jobs.emplace_back(job->first, job->samples);
    EXPECT_EQ(jobs, (std::vector<std::pair<size_t, int64_t>>{{0, 3}, {3, 1}, {4, 1}}));
}

TEST(WorkQueue, WhatWasPutBackGoesFirstOnceItIsReady) {
    const auto requests = requests_of({{1, 0}, {2, 0}, {3, 0}});
    WorkQueue queue(false);
    queue.add(std::make_shared<Batch>(requests, kSampling));
    Job first = *queue.next(0), second = *queue.next(0);
    first.ready_at = 9;
    second.ready_at = 5;
    queue.put_back(first);
    queue.put_back(second);
    EXPECT_EQ(queue.next_ready(), 5);
    EXPECT_EQ(queue.next(4)->first, 2u);
    EXPECT_FALSE(queue.next(4));
    EXPECT_EQ(queue.next(9)->first, 1u);
    EXPECT_EQ(queue.next(9)->first, 0u);
    EXPECT_EQ(queue.next_ready(), std::nullopt);
}

TEST(WorkQueue, ARemovedBatchLeavesNothing) {
    const auto requests = requests_of({{1, 0}, {2, 0}});
    const auto one = std::make_shared<Batch>(requests, kSampling);
    const auto other = std::make_shared<Batch>(requests, kSampling);
    WorkQueue queue(false);
    queue.add(one);
    queue.put_back(*queue.next(0));
    queue.add(other);
    queue.remove(*one);
    EXPECT_EQ(queue.next(0)->batch, other);
    EXPECT_EQ(queue.next(0)->batch, other);
    EXPECT_FALSE(queue.next(0));
}

}  // namespace
}  // namespace craft
