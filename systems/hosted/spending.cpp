#include "systems/hosted/spending.h"

namespace craft {

namespace {

constexpr double kMillion = 1e6;

}  // namespace

std::optional<double> price_of(const HostedPrices& prices, const Usage& usage) {
    if (!prices.are_known()) return std::nullopt;
    const auto cached = static_cast<double>(usage.cached_tokens);
    const double fresh = static_cast<double>(usage.prompt_tokens) - cached;
    return (fresh * *prices.input + cached * prices.cached_input.value_or(*prices.input) +
            static_cast<double>(usage.new_tokens) * *prices.output) /
           kMillion;
}

double Spending::usd_of(const Estimate& estimate) const {
    return price_of(prices_, {.prompt_tokens = estimate.prompt_tokens, .new_tokens = estimate.new_tokens}).value_or(0);
}

Spending::Verdict Spending::verdict(const Estimate& next) const {
    if (budget_.requests && requests_ >= *budget_.requests) return Verdict::spent;
    const auto fits = [&](double reserved_tokens, double reserved_usd) {
        const double tokens = static_cast<double>(tokens_ + next.tokens()) + reserved_tokens;
        return (!budget_.tokens || tokens <= static_cast<double>(*budget_.tokens)) &&
               (!budget_.usd || usd_ + usd_of(next) + reserved_usd <= *budget_.usd);
    };
    if (fits(static_cast<double>(reserved_tokens_), reserved_usd_)) return Verdict::fits;
    return in_flight_ > 0 && fits(0, 0) ? Verdict::wait : Verdict::spent;
}

void Spending::begin(const Estimate& estimate) {
    ++requests_;
    ++in_flight_;
    reserved_tokens_ += estimate.tokens();
    reserved_usd_ += usd_of(estimate);
}

void Spending::end(const Estimate& estimate, const Usage& usage) {
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
