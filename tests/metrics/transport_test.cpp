#include "metrics/transport.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>
#include <sstream>
#include <stdexcept>

#include "core/files.h"
#include "core/json.h"
#include "tests/source.h"

namespace craft {
namespace {

using Values = std::vector<double>;

// One row and one column: plan = x minimises x c + eps x (log x - 1) + 2 tau (x log x - x + 1), so that
// c + eps log x + 2 tau log x = 0.
TEST(Transport, ByHand) {
    const TransportPlan found =
        unbalanced_transport(Values{1}, Values{1}, Values{0.3}, {.epsilon = 0.1, .tau = 0.5, .stop = 1e-12});
    EXPECT_NEAR(found.plan.at(0), std::exp(-0.3 / (0.1 + 2 * 0.5)), 1e-9);
    EXPECT_TRUE(found.converged);
}

TEST(Transport, PlansAreThoseOfPot) {
    size_t cases = 0;
    std::istringstream lines(read_file(test_source("/tests/metrics/stored/transport.jsonl")));
    for (std::string line; std::getline(lines, line);) {
        const Json row = Json::parse(line);
        const TransportPlan found =
            unbalanced_transport(row.at("a").get<Values>(), row.at("b").get<Values>(), row.at("cost").get<Values>(),
                                 {.tau = row.at("tau"), .stop = 1e-12, .max_iterations = 10000});
        const Values expected = row.at("plan").get<Values>();
        ASSERT_EQ(found.plan.size(), expected.size());
        for (size_t i = 0; i < expected.size(); ++i) EXPECT_NEAR(found.plan[i], expected[i], 1e-8) << cases << " " << i;
        ++cases;
    }
    EXPECT_EQ(cases, 12u);
}

// With a large tau all weight is carried, with a small one next to nothing.
TEST(Transport, TauSaysHowMuchIsCarried) {
    const Values rows = {1, 1, 1}, columns = {1, 1, 1}, cost = {0, 1, 1, 1, 0, 1, 1, 1, 1};
    const auto carried = [&](double tau) {
        const Values plan = unbalanced_transport(rows, columns, cost, {.tau = tau, .max_iterations = 100000}).plan;
        return std::accumulate(plan.begin(), plan.end(), 0.0);
    };
    EXPECT_NEAR(carried(100), 3, 0.05);
    EXPECT_GT(carried(100), carried(0.5));
    EXPECT_GT(carried(0.5), carried(0.05));
}

TEST(Transport, NoCostIsTooLarge) {
    const TransportPlan found = unbalanced_transport(Values{1, 1}, Values{1}, Values{0, 1e6}, {.epsilon = 1e-3});
    EXPECT_TRUE(std::isfinite(found.plan[0]));
    EXPECT_EQ(found.plan[1], 0);
    EXPECT_TRUE(unbalanced_transport(Values{}, Values{1, 2}, Values{}).plan.empty());
}

TEST(Transport, WhatCannotBe) {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    EXPECT_THROW(unbalanced_transport(Values{1}, Values{1}, Values{}), std::invalid_argument);
    EXPECT_THROW(unbalanced_transport(Values{0}, Values{1}, Values{1}), std::invalid_argument);
    EXPECT_THROW(unbalanced_transport(Values{1}, Values{1}, Values{nan}), std::invalid_argument);
    EXPECT_THROW(unbalanced_transport(Values{1}, Values{1}, Values{1}, {.tau = 0}), std::invalid_argument);
}

TEST(Transport, WhatDoesNotConvergeSaysSo) {
    const TransportPlan found =
        unbalanced_transport(Values{1, 2}, Values{2, 1}, Values{0, 1, 1, 0}, {.tau = 50, .max_iterations = 2});
    EXPECT_FALSE(found.converged);
    EXPECT_EQ(found.iterations, 2);
}

}  // namespace
}  // namespace craft
