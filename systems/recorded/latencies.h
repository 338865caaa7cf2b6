// How long answers took, in few numbers that add up over runs.
#pragma once

#include <cstdint>
#include <map>
#include <optional>

#include "core/json.h"

namespace craft {

// Counts by classes of time, each a twelfth wider than the one before: a quantile is right within 5 %. Not thread-safe.
class Latencies {
public:
    void add(double seconds);  // above 0
    void add(const Latencies& others);
    int64_t count() const;
    // The time in seconds that this share (0 to 1) of the answers did not exceed; none without answers.
    std::optional<double> quantile(double share) const;
    // {"p50", "p95" (seconds or null), "classes": {number: count}}
    Json to_json() const;
    // Throws Error naming `where`.
    static Latencies from_json(const Json& value, const std::string& where);

private:
    std::map<int64_t, int64_t> classes_;  // class c: up to 2^(c/8) ms, and above 2^((c-1)/8)
};

}  // namespace craft
