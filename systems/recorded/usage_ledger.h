// What answers cost, by the role that a system played and the stage of the run, summed over the run's resumes.
#pragma once

#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/json.h"
#include "systems/recorded/latencies.h"
#include "systems/system.h"

namespace craft {

// Of recorded replies only their number is counted: their cost stands in the sums of whoever asked for them.
struct UsageSums {
    int64_t requests = 0;
    int64_t hits = 0;  // recorded ones, of these
    int64_t prompt_tokens = 0, cached_tokens = 0, new_tokens = 0;
    std::optional<double> usd = {};  // of answers with a price; absent where none has one
    int64_t unpriced = 0;            // answers without a price, which `usd` lacks
    double seconds = 0;              // of waiting, summed over answers: many wait at once
    Latencies latencies = {};        // of finished and cut answers whose time was measured
    int64_t retries = 0;
    int64_t cut = 0;                               // at the limit of new tokens
    std::map<std::string, int64_t> failures = {};  // by failure_name()

    void add(const Reply& reply);
    void add(const UsageSums& others);
    Json to_json() const;  // fields by their names; "usd" may be null
    // Throws Error naming `where` and the field.
    static UsageSums from_json(const Json& value, const std::string& where);
};

// Thread-safe.
class UsageLedger {
public:
    UsageLedger() = default;
    // Continues after what to_json() gave before the run was stopped. Throws Error naming `where`.
    UsageLedger(const Json& earlier, const std::string& where);

    void add(const std::string& role, const std::string& stage, const std::vector<Reply>& replies);
    // Adds what another ledger's to_json() gave. Throws Error naming `where`.
    void add(const Json& others, const std::string& where);
    // {role: {stage: sums}}, for manifest.json.
    Json to_json() const;
    UsageSums sums(const std::string& role) const;  // over its stages
    // Of a role that asked and of which no request reached a model (HTTP errors, time-outs, broken connections, other
    // pages): "reviser: dropped 2, timed_out 1". Empty where there is no such role.
    std::string unanswered() const;
    // One line a role, for the end of the run: `planner: 1200 requests (200 recorded), 51234 prompt tokens ...`.
    std::vector<std::string> lines() const;

private:
    mutable std::mutex mutex_;
    std::map<std::string, std::map<std::string, UsageSums>> roles_;
};

}  // namespace craft
