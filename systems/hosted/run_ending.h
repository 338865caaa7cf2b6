// What ends a whole run, since no further request of it would be answered otherwise.
#pragma once

#include <string>

#include "systems/hosted/http_refusal.h"
#include "systems/hosted/profile.h"

namespace craft {

// The line of an Error for a refusal of access (a wrong key, a spent quota) or of a parameter, with what to change; empty
// where the refusal concerns its item alone. `refusal.parameter` is shown: it must hold no key.
std::string run_ending(const HostedProfile& profile, const HostedEndpoint& endpoint, long status,
                       const HttpRefusal& refusal);

}  // namespace craft
