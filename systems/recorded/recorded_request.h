// What an answer is kept under: all that it depends on.
#pragma once

#include <cstdint>
#include <string>

#include "systems/system.h"

namespace craft {

// Whether a reply is what its request gives, so that asking once more would bring no other: a text that ended, or one that
// was cut at the limit of new tokens that was asked for (0: not known). A failed one is not, nor is one that was cut without
// a text or before that limit: by the server's window, which may be another one tomorrow.
bool is_kept(const Reply& reply, int64_t limit);

struct RecordedRequest {
    std::string key;      // 32 hexadecimal digits: XXH3 in 128 bits of `request` and `sample`
    std::string request;  // the system's record in canonical JSON
    uint64_t sample = 0;
    bool operator==(const RecordedRequest&) const = default;
};

// From a text that canonical_json() gave.
RecordedRequest recorded_request(std::string canonical_request, uint64_t sample);
// From what `system` says that its answer depends on. An answer that was asked for without its log-probability lacks it, so
// that asking for it makes another request.
RecordedRequest recorded_request(const System& system, const Request& request, const SamplingOptions& sampling);

}  // namespace craft
