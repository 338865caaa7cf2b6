// What a test server has counted.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "tests/systems/hosted/server/faults.h"

namespace craft::chat_server {

struct ChatServerCounts {
    int64_t connections = 0;                // accepted
    int64_t requests = 0;                   // whole ones, on any path
    int64_t redirected = 0;                 // those that came where a redirect had pointed; they have no faults
    int64_t in_flight = 0;                  // requests that came and whose answer has not been written
    int64_t max_in_flight = 0;              // at once
    int64_t good = 0;                       // good answers that were handed to the kernel whole, also n_ignored and the like
    std::map<std::string, int64_t> faults;  // by name; "none" for requests without one
    std::map<std::string, int64_t> asked;   // chat completions by body_hash()
    std::map<std::string, int64_t> answered;  // the good ones of them

    int64_t of(std::optional<Fault> fault) const;
};

// Of a request's body, as the log and the counts name it.
std::string body_hash(std::string_view body);

}  // namespace craft::chat_server
