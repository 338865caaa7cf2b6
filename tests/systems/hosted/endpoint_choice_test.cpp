#include "systems/hosted/endpoint_choice.h"

#include <gtest/gtest.h>

#include <string>

namespace craft {
namespace {

bool any(size_t) {
    return true;
}

std::string chosen(EndpointChoice& choice, int count, double now = 0) {
    std::string names;
    for (int i = 0; i < count; ++i) {
        const auto one = choice.choose(now, any);
        names += one ? static_cast<char>('a' + *one) : '-';
    }
    return names;
}

TEST(EndpointChoice, WeightsInterleave) {
    EndpointChoice choice({2, 1});
    EXPECT_EQ(chosen(choice, 6), "abaaba");
    EndpointChoice one({0.5});
    EXPECT_EQ(chosen(one, 3), "aaa");
}

TEST(EndpointChoice, WhatHasNoRoomIsPassedOver) {
    EndpointChoice choice({1, 1});
    for (int i = 0; i < 3; ++i) EXPECT_EQ(choice.choose(0, [](size_t e) { return e == 1; }), 1u);
    EXPECT_EQ(choice.choose(0, [](size_t) { return false; }), std::nullopt);
}

TEST(EndpointChoice, AFailingOneIsSetAsideAndTriedAgain) {
    EndpointChoice choice({1, 1}, {.failures = 3, .first_aside = 2, .longest_aside = 5});
    for (int i = 0; i < 2; ++i) choice.failed(0, 10);
    EXPECT_EQ(chosen(choice, 2, 10), "ab");
    choice.failed(0, 10);
    EXPECT_EQ(choice.times_set_aside(), 1);
    EXPECT_EQ(choice.next_trial(), 12);
    EXPECT_EQ(chosen(choice, 3, 11.9), "bbb");
    EXPECT_EQ(chosen(choice, 4, 12), "abbb") << "one trial";
}

TEST(EndpointChoice, ATrialDecides) {
    EndpointChoice choice({1, 1}, {.failures = 1, .first_aside = 2, .longest_aside = 5});
    const auto only_first = [](size_t e) { return e == 0; };
    double now = 0;
    choice.failed(0, now);
    for (const double aside : {2.0, 4.0, 5.0, 5.0}) {
        EXPECT_EQ(choice.choose(now + aside - 0.1, only_first), std::nullopt);
        now += aside;
        EXPECT_EQ(choice.choose(now, only_first), 0u);
        EXPECT_EQ(choice.choose(now, only_first), std::nullopt) << "one trial at a time";
        choice.failed(0, now);
    }
    now += 5;
    EXPECT_EQ(choice.choose(now, only_first), 0u);
    choice.succeeded(0);
    EXPECT_EQ(choice.choose(now, only_first), 0u);
    EXPECT_EQ(choice.choose(now, only_first), 0u);
    choice.failed(0, now);
    EXPECT_EQ(choice.next_trial(), now + 2) << "it begins anew";
}

TEST(EndpointChoice, TheLastOneIsNeverSetAside) {
    EndpointChoice choice({1, 1}, {.failures = 1});
    choice.failed(0, 0);
    for (int i = 0; i < 9; ++i) choice.failed(1, 0);
    EXPECT_EQ(chosen(choice, 2, 0), "bb");
    EndpointChoice one({1}, {.failures = 1});
    one.failed(0, 0);
    EXPECT_EQ(chosen(one, 1), "a");
}

}  // namespace
}  // namespace craft
