#include "systems/recorded/recorded_request.h"

#include "core/file_hash.h"
#include "systems/recorded/canonical_json.h"

namespace craft {

RecordedRequest recorded_request(std::string canonical_request, uint64_t sample) {
    RecordedRequest recorded;
    recorded.key = hash128_text(canonical_request + "\n" + std::to_string(sample));
    recorded.request = std::move(canonical_request);
    recorded.sample = sample;
    return recorded;
}

RecordedRequest recorded_request(const System& system, const Request& request, const SamplingOptions& sampling) {
    Json record = system.record(request, sampling);
    if (sampling.logprobs) record["logprobs"] = true;
    return recorded_request(canonical_json(record), request.sample);
}

}  // namespace craft
