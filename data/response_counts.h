// How well planners' responses keep their form, counted over many.
#pragma once

#include <cstdint>

#include "core/json.h"
#include "data/trajectory.h"

namespace craft {

struct ResponseCounts {
    int64_t responses = 0;
    int64_t exact = 0;  // read without leniency, and all of their calls are usable
    int64_t cut = 0;    // at the limit of new tokens, which may leave the form open
    int64_t calls = 0;  // usable and unusable ones
    int64_t unusable_calls = 0;
    Leniency leniency = {};  // of all of them, by kind

    void add(const ParsedResponse& response, bool finished);
    void add(const ResponseCounts& others);
    bool operator==(const ResponseCounts&) const = default;
};

// {"responses","exact","cut","calls","unusable_calls","leniency":{kind: times}}
Json to_json(const ResponseCounts& counts);
// Throws nlohmann's exceptions where `object` is none.
ResponseCounts response_counts_from_json(const Json& object);

}  // namespace craft
