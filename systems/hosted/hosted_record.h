// What a hosted answer depends on: whom it was asked of, and what was asked.
#pragma once

#include "systems/hosted/profile.h"
#include "systems/system.h"

namespace craft {

constexpr const char* kAskedOf = "asked_of";  // a record's field that is none of the body's

// The body and "asked_of": {"endpoints": [endpoint_name()...]}, or {"serves": ...} where the profile names what all of them
// serve. The same for every profile with these endpoints and this request; no key, URL's query or header is part of it.
// Throws Error as chat_body() does.
Json hosted_record(const HostedProfile& profile, const Request& request, const SamplingOptions& sampling);

}  // namespace craft
