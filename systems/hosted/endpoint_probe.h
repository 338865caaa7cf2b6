// Whether the servers of a profile are there: their lists of models, asked for once and without retries.
#pragma once

#include <string>
#include <vector>

#include "systems/hosted/profile.h"

namespace craft {

struct EndpointProbe {
    enum class State {
        reachable,      // answers, and lets this key in
        refused,        // answers that it does not let this key in, or that of the proxy
        not_reachable,  // no answer, or none that is trusted
        no_key          // was not asked: the key is missing or unreadable
    };
    std::string url = {};  // without a query
    State state = State::reachable;
    std::string said = {};  // one line, holds no key: how many models there are, or what is wrong
};
const char* probe_state_name(EndpointProbe::State state);  // "not reachable"

// One for each endpoint, asked side by side with the profile's keys, headers and proxy; `patience` is how many seconds an
// answer may take, connecting included. A server without a list of models that answers is reachable. Throws Error where
// libcurl cannot be started.
std::vector<EndpointProbe> probe_endpoints(const HostedProfile& profile, double patience);

}  // namespace craft
