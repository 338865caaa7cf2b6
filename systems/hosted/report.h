// What a hosted model was asked and what it cost, for manifests. Holds no key, URL or header.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "core/json.h"

namespace craft {

struct HostedReport {
    int64_t items = 0;                                             // answered, or failed for good
    int64_t requests = 0;                                          // sent
    int64_t retries = 0;                                           // of them, after an item's first
    std::map<std::string, int64_t> failed_requests, failed_items;  // by failure_name(); items without over_budget
    int64_t over_budget = 0;                                       // items that the budget left without an answer
    int64_t unanswered = 0;                                        // items that the end of the run left without an answer
    int64_t prompt_tokens = 0, new_tokens = 0, cached_tokens = 0;
    int64_t without_usage = 0;              // answers whose cost the server did not say
    std::optional<double> usd;              // absent where no price is known
    double seconds = 0;                     // summed over items, from first request to last byte
    std::map<std::string, int64_t> models;  // answers by the name of the model that the server says
    int64_t max_concurrent = 0;             // requests
    int64_t highest_concurrency = 0;        // limit that an endpoint's adaptation reached
    int64_t refusals = 0;                   // HTTP 429 and the like that cut or would cut it
    int64_t set_aside = 0;                  // times that an endpoint was

    Json to_json() const;
};

}  // namespace craft
