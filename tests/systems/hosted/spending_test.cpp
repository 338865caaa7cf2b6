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
    const EstimatedUsage each{.prompt_tokens = 100, .new_tokens = 300};
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

TEST(Spending, WhatIsShortIsSaidInNumbers) {
    const Shortage none = Spending({.requests = 2, .tokens = 3}, {}).shortage({.prompt_tokens = 3, .new_tokens = 1});
    EXPECT_EQ(none.limit, "budget.tokens");
    EXPECT_EQ(none.expected, "room for a request that may take 4 tokens");
    EXPECT_EQ(none.got, "3 left of 3");
    Spending requests({.requests = 1, .tokens = 3}, {});
    requests.begin({1, 1});
    EXPECT_EQ(requests.shortage({1, 1}).limit, "budget.requests");
    EXPECT_EQ(requests.shortage({1, 1}).got, "all 1 sent");
    Spending dollars({.usd = 0.3}, {.input = 1, .output = 1});
    dollars.begin({100000, 0});
    dollars.end({100000, 0}, {.prompt_tokens = 100000});
    const Shortage dear = dollars.shortage({.prompt_tokens = 200000, .new_tokens = 50000});
    EXPECT_EQ(dear.limit, "budget.usd");
    EXPECT_EQ(dear.expected, "room for a request that may cost 0.25 USD");
    EXPECT_EQ(dear.got, "0.2 USD left of 0.3");
}

}  // namespace
}  // namespace craft
