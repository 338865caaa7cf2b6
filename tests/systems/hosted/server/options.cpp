#include "tests/systems/hosted/server/options.h"

#include <cmath>

namespace craft::chat_server {

std::vector<std::string> problems_of(const ChatServerOptions& options) {
    std::vector<std::string> problems;
    const auto expect = [&](bool is_right, const std::string& field, const std::string& expected, const std::string& got) {
        if (!is_right) problems.push_back(field + ": expected " + expected + ", got " + got);
    };
    const auto expect_from = [&](double least, double value, const std::string& field) {
        expect(std::isfinite(value) && value >= least, field, "a number from " + Json(least).dump(), Json(value).dump());
    };
    double sum = 0;
    for (const auto& [kind, share] : options.faults) {
        expect(share >= 0 && share <= 1, fault_name(kind), "a share from 0 to 1", std::to_string(share));
        sum += share;
    }
    expect(sum <= 1 + 1e-9, "faults", "shares that sum to at most 1", std::to_string(sum));
    expect(options.port >= 0 && options.port <= 65535, "port", "0 to 65535", std::to_string(options.port));
    expect_from(0, options.latency_ms, "latency_ms");
    expect_from(0, static_cast<double>(options.max_faults.value_or(0)), "max_faults");
    expect_from(0, static_cast<double>(options.cached_tokens.value_or(0)), "cached_tokens");
    expect_from(0, static_cast<double>(options.retry_after_s), "retry_after_s");
    expect_from(0, static_cast<double>(options.limit_in_flight), "limit_in_flight");
    expect_from(0, static_cast<double>(options.huge_bytes), "huge_bytes");
    expect_from(.1, options.trickle_ms, "trickle_ms");
    return problems;
}

}  // namespace craft::chat_server
