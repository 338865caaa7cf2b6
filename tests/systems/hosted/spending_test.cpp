#include "systems/hosted/spending.h"

#include <gtest/gtest.h>

namespace craft {
namespace {

using Verdict = Spending::Verdict;

TEST(Spending, PricesAreForAMillionTokens) {
    const Usage usage{.prompt_tokens = 1000, .new_tokens = 500, .cached_tokens = 400};
    // (600 * 2 + 400 * .5 + 500 * 8) / 1e6
    EXPECT_DOUBLE_EQ(*price_of({.input = 2, .output = 8, .cached_input = 0.5}, usage), 0.0054);
    EXPECT_DOUBLE_EQ(*price_of({.input = 2, .output = 8}, usage), 0.006);  // 1000 * 2 + 500 * 8
    EXPECT_EQ(price_of({}, usage), std::nullopt);
}

TEST(Spending, WhatIsUnderWayIsReserved) {
    Spending spending({.tokens = 1000}, {});
    const Estimate each{.prompt_tokens = 100, .new_tokens = 300};
    spending.begin(each);
    spending.begin(each);
    EXPECT_EQ(spending.verdict(each), Verdict::wait);  // 800 + 400 > 1000, but they may take less
    spending.end(each, {.prompt_tokens = 90, .new_tokens = 10});
    EXPECT_EQ(spending.verdict(each), Verdict::fits);  // 100 + 400 + 400
    spending.begin(each);
    spending.end(each, {.prompt_tokens = 100, .new_tokens = 300});
    spending.end(each, {.prompt_tokens = 100, .new_tokens = 300});
    EXPECT_EQ(spending.verdict(each), Verdict::spent);  // 900 + 400
    EXPECT_EQ(spending.tokens(), 900);
    EXPECT_EQ(spending.usd(), std::nullopt);
}

TEST(Spending, RequestsAndDollarsEnd) {
    Spending requests({.requests = 2}, {});
    for (int i = 0; i < 2; ++i) {
        EXPECT_EQ(requests.verdict({1, 1}), Verdict::fits);
        requests.begin({1, 1});
    }
    EXPECT_EQ(requests.verdict({1, 1}), Verdict::spent) << "requests are spent when they are sent";
    Spending dollars({.usd = 1}, {.input = 1, .output = 1});
    dollars.begin({500000, 0});
    dollars.end({500000, 0}, {.prompt_tokens = 600000});
    EXPECT_DOUBLE_EQ(*dollars.usd(), 0.6);
    EXPECT_EQ(dollars.verdict({400000, 0}), Verdict::fits);
    EXPECT_EQ(dollars.verdict({400001, 0}), Verdict::spent);
}

}  // namespace
}  // namespace craft
