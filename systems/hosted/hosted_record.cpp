#include "systems/hosted/hosted_record.h"

#include <set>

#include "systems/hosted/chat_request.h"
#include "systems/hosted/url.h"

namespace craft {

Json hosted_record(const HostedProfile& profile, const Request& request, const SamplingOptions& sampling) {
    Json record = chat_body(profile, request, sampling, {.field = profile.max_tokens_field, .for_record = true});
    if (!profile.serves.empty()) {
        record[kAskedOf] = {{"serves", profile.serves}};
        return record;
    }
    std::set<std::string> names;  // the order and the weights change no answer
    for (const HostedEndpoint& endpoint : profile.endpoints) names.insert(endpoint_name(endpoint.base_url));
    record[kAskedOf] = {{"endpoints", names}};
    return record;
}

}  // namespace craft
