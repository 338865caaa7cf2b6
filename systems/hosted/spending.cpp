#include "systems/hosted/spending.h"

#include <algorithm>
#include <array>
#include <cstdio>

namespace craft {

namespace {

constexpr double kMillion = 1e6;

// Sums of prices end in digits that are nobody's.
std::string short_number(double value) {
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%.6g", value);
    return text.data();
}

}  // namespace

std::optional<double> price_of(const HostedPrices& prices, const Usage& usage) {
    if (!prices.are_known()) return std::nullopt;
    const auto cached = static_cast<double>(usage.cached_tokens);
    const double fresh = static_cast<double>(usage.prompt_tokens) - cached;
    return (fresh * *prices.input + cached * prices.cached_input.value_or(*prices.input) +
            static_cast<double>(usage.new_tokens) * *prices.output) /
           kMillion;
}

double Spending::usd_of(const EstimatedUsage& estimate) const {
    return price_of(prices_, {.prompt_tokens = estimate.prompt_tokens, .new_tokens = estimate.new_tokens}).value_or(0);
}

bool Spending::allows_tokens(const EstimatedUsage& next, int64_t reserved) const {
    const double tokens = static_cast<double>(tokens_) + static_cast<double>(next.tokens()) + static_cast<double>(reserved);
    return !budget_.tokens || tokens <= static_cast<double>(*budget_.tokens);
}

Spending::Verdict Spending::verdict(const EstimatedUsage& next) const {
    if (budget_.requests && requests_ >= *budget_.requests) return Verdict::spent;
    const auto fits = [&](int64_t reserved_tokens, double reserved_usd) {
        return allows_tokens(next, reserved_tokens) && (!budget_.usd || usd_ + usd_of(next) + reserved_usd <= *budget_.usd);
    };
    if (fits(reserved_tokens_, reserved_usd_)) return Verdict::fits;
    return in_flight_ > 0 && fits(0, 0) ? Verdict::wait : Verdict::spent;
}

Shortage Spending::shortage(const EstimatedUsage& next) const {
    const std::string smaller = ", or a smaller max_new_tokens: the maximum cost of an answer is reserved";
    if (budget_.requests && requests_ >= *budget_.requests)
        return {"budget.requests", "room for one more request", "all " + std::to_string(*budget_.requests) + " sent",
                "a larger budget.requests"};
    if (!allows_tokens(next, 0))
        return {
            "budget.tokens", "room for a request that may take " + std::to_string(next.tokens()) + " tokens",
            std::to_string(std::max<int64_t>(0, *budget_.tokens - tokens_)) + " left of " + std::to_string(*budget_.tokens),
            "a larger budget.tokens" + smaller};
    const double budget = budget_.usd.value_or(0);
    return {"budget.usd", "room for a request that may cost " + short_number(usd_of(next)) + " USD",
            short_number(std::max(0.0, budget - usd_)) + " USD left of " + short_number(budget),
            "a larger budget.usd" + smaller};
}

void Spending::begin(const EstimatedUsage& estimate) {
    ++requests_;
    ++in_flight_;
    reserved_tokens_ += estimate.tokens();
    reserved_usd_ += usd_of(estimate);
}

void Spending::end(const EstimatedUsage& estimate, const Usage& usage) {
    --in_flight_;
    reserved_tokens_ -= estimate.tokens();
    reserved_usd_ = in_flight_ > 0 ? reserved_usd_ - usd_of(estimate) : 0;  // sums of rounded numbers do not end at 0
    tokens_ += usage.prompt_tokens + usage.new_tokens;
    usd_ += price_of(prices_, usage).value_or(0);
}

std::optional<double> Spending::usd() const {
    return prices_.are_known() ? std::optional(usd_) : std::nullopt;
}

}  // namespace craft
