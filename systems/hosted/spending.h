// What answers have cost, and whether the budget bears another request.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "systems/hosted/profile.h"
#include "systems/system.h"

namespace craft {

// Absent where no price is known.
std::optional<double> price_of(const HostedPrices& prices, const Usage& usage);

// What a request may cost at most, as far as it is known beforehand.
struct EstimatedUsage {
    int64_t prompt_tokens = 0, new_tokens = 0;
    int64_t tokens() const { return prompt_tokens + new_tokens; }
};

// Why a budget bears no further request: the parts of an Error.
struct Shortage {
    std::string limit;          // "budget.usd"
    std::string expected, got;  // "room for a request that may cost 0.02 USD", "0.01 USD left of 1"
    std::string hint;
};

class Spending {
public:
    enum class Verdict {
        fits,
        wait,  // not beside what is under way, whose cost may turn out lower
        spent
    };
    Spending(const HostedBudget& budget, const HostedPrices& prices) : budget_(budget), prices_(prices) {}

    Verdict verdict(const EstimatedUsage& next) const;
    // Of a request whose verdict is `spent`.
    Shortage shortage(const EstimatedUsage& next) const;
    void begin(const EstimatedUsage& estimate);
    // The request ended: what it cost, where the server said so. A request without usage costs what it says: nothing.
    void end(const EstimatedUsage& estimate, const Usage& usage);

    int64_t requests() const { return requests_; }
    int64_t tokens() const { return tokens_; }
    std::optional<double> usd() const;  // absent where no price is known

private:
    double usd_of(const EstimatedUsage& estimate) const;
    bool allows_tokens(const EstimatedUsage& next, int64_t reserved) const;
    HostedBudget budget_;
    HostedPrices prices_;
    int64_t requests_ = 0, in_flight_ = 0;
    int64_t tokens_ = 0, reserved_tokens_ = 0;
    double usd_ = 0, reserved_usd_ = 0;
};

}  // namespace craft
