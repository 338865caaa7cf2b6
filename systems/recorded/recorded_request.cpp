#include "systems/recorded/recorded_request.h"

#include "core/file_hash.h"
#include "systems/recorded/canonical_json.h"
#include "text/utf8.h"

namespace craft {

bool is_kept(const Reply& reply, int64_t limit) {
    if (reply.status != Reply::Status::cut) return reply.is_finished();
    const int64_t tokens = reply.usage.new_tokens;  // 0: the server does not say
    return !trim_view(reply.text).empty() && (tokens == 0 || limit == 0 || tokens >= limit);
}

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
