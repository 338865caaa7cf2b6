#include "model/steps/history_store.h"

#include <gtest/gtest.h>

namespace craft::test {
namespace {

using Tokens = std::vector<int64_t>;

// 10 bytes for each number among its parts.
struct SomeHistory : History {
    SomeHistory(int64_t tokens, std::vector<int64_t> its_numbers) : numbers(std::move(its_numbers)) { length = tokens; }
    std::vector<std::pair<const void*, int64_t>> parts() const override {
        std::vector<std::pair<const void*, int64_t>> all;
        for (const int64_t number : numbers) all.emplace_back(reinterpret_cast<const void*>(number), 10);
        return all;
    }
    std::vector<int64_t> numbers;
};

std::shared_ptr<const History> some(int64_t tokens, std::vector<int64_t> numbers) {
    return std::make_shared<SomeHistory>(tokens, std::move(numbers));
}

TEST(HistoryStore, TheOneThatBeginsWithMostIsFound) {
    HistoryStore histories;
    histories.set_max_bytes(1000);
    EXPECT_FALSE(histories.longest({1, 2, 3}, 3).history);
    histories.keep({1, 2, 3, 4}, some(4, {1}));
    histories.keep({1, 2, 9}, some(3, {2}));
    const auto found = histories.longest({1, 2, 3, 5, 6}, 5);
    EXPECT_EQ(found.length, 3);
    EXPECT_EQ(found.history->length, 4);
    EXPECT_EQ(histories.longest({1, 2, 3, 4, 5}, 2).length, 2) << "no more than was asked for";
    EXPECT_EQ(histories.longest({1, 2, 9, 9}, 4).history->length, 3);
    EXPECT_FALSE(histories.longest({2}, 1).history);
    EXPECT_FALSE(histories.longest({}, 0).history);
}

TEST(HistoryStore, WhatALongerOneBeginsWithIsNotKeptTwice) {
    HistoryStore histories;
    histories.set_max_bytes(1000);
    histories.keep({1, 2}, some(2, {1}));
    histories.keep({1, 3}, some(2, {2}));
    histories.keep({1, 2, 3}, some(3, {1, 3}));
    EXPECT_EQ(histories.count(), 2);
    EXPECT_EQ(histories.bytes(), 30);
    EXPECT_EQ(histories.dropped(), 0);
}

TEST(HistoryStore, SharedPartsCountOnceAndTheOldestGoesFirst) {
    HistoryStore histories;
    histories.set_max_bytes(50);
    histories.keep({1, 2}, some(2, {1, 2}));
    histories.keep({1, 3}, some(2, {1, 3}));
    EXPECT_EQ(histories.bytes(), 30);
    histories.keep({4}, some(1, {4, 5}));
    EXPECT_EQ(histories.bytes(), 50);
    EXPECT_EQ(histories.longest({1, 2}, 2).length, 2);  // used: not the oldest any more
    histories.keep({6}, some(1, {6}));
    EXPECT_EQ(histories.dropped(), 1);
    EXPECT_EQ(histories.bytes(), 50);
    EXPECT_EQ(histories.longest({1, 3}, 2).length, 1) << "{1, 3} went, {1, 2} stayed";
    histories.keep({7}, some(1, {11, 12, 13, 14, 15, 16}));
    EXPECT_EQ(histories.count(), 3) << "one that alone is too large drives no other out";
    EXPECT_EQ(histories.dropped(), 2);
    histories.set_max_bytes(0);
    histories.keep({1}, some(1, {1}));
    EXPECT_EQ(histories.count(), 0);
    EXPECT_EQ(histories.bytes(), 0);
}

}  // namespace
}  // namespace craft::test
