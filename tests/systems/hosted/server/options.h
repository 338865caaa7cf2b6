// What a test server is told (tests/systems/hosted/chat_server.h).
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/json.h"
#include "tests/systems/hosted/server/faults.h"

namespace craft::chat_server {

enum class RetryAfter { none, seconds, date };

struct ChatServerOptions {
    int port = 0;                         // of 127.0.0.1; 0: any that is free
    double latency_ms = 0;                // from a request's last byte to its answer's first, faults included
    std::vector<FaultShare> faults = {};  // their shares sum to at most 1; the rest is answered well
    // So many faults a body gets before it is answered well: who asks again is served in the end. Unset: 2 if the shares sum
    // to at most .5, else no bound.
    std::optional<int64_t> max_faults = {};
    uint64_t seed = 0;  // of the draws of faults
    // The fault of the `asked`-th (from 0) request with this body, instead of a draw: for tests that need an order. Called
    // on the server's thread, as `answer` is.
    std::function<std::optional<Fault>(const Json& body, int64_t asked)> choose = {};
    // The content of a choice (from 0). Unset: words that are made of a hash of the messages, the body's seed and the
    // choice.
    std::function<std::string(const Json& body, int64_t choice)> answer = {};
    std::string api_key = {};                   // if set: 401 without "Authorization: Bearer KEY"
    std::string proxy_authorization = {};       // if set: 407 for requests to a proxy without this "Proxy-Authorization"
    std::string model = "test-model";           // in the replies
    bool usage = true;                          // a usage block: tokens are words between white space
    std::optional<int64_t> cached_tokens = {};  // in the usage block as prompt_tokens_details.cached_tokens
    RetryAfter retry_after = RetryAfter::none;  // with http_429, also that of limit_in_flight, and http_503
    int64_t retry_after_s = 1;                  // seconds from the reply on
    int64_t limit_in_flight = 0;                // this many requests at once; what is above gets http_429; 0: no limit
    int64_t huge_bytes = 64 << 20;              // content of the fault `huge`
    double trickle_ms = 50;                     // between two bytes of the fault `slow_body`
    std::string log = {};                       // a JSON line for each request when it ended; empty: none
    bool keep_requests = false;                 // for requests()
};

// Every problem of these options, one line each.
std::vector<std::string> problems_of(const ChatServerOptions& options);

}  // namespace craft::chat_server
