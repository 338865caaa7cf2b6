// The header Retry-After, read strictly: what is no number of seconds and no date is nothing that a server asks for.
#pragma once

#include <ctime>
#include <optional>
#include <string_view>

namespace craft {

// Seconds from `now` on: of a number (also with a fraction, as gateways write it), or of a date in one of HTTP's three forms
// ("Sun, 06 Nov 1994 08:49:37 GMT"). Absent for other texts, for days that no calendar has, and for times that are over.
std::optional<double> retry_after_seconds(std::string_view value, std::time_t now);

}  // namespace craft
