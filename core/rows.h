// The rows of a JSON Lines file, each given to a function that may find it unfit.
#pragma once

#include <functional>
#include <string>

#include "core/json.h"

namespace craft {

// What rows need besides themselves is broken (a folder's chat template): no row is bad for it, and none is skipped.
class SetupError : public Error {
public:
    explicit SetupError(const Error& error) : Error(std::string(error.what())) {}
};

// Calls on_row(row, "file:line") for each row; returns how many bad lines were skipped. Throws Error if no row was good. An
// Error thrown by on_row ends the reading or, with skip_bad, is counted like a line that does not parse; a SetupError always
// ends it.
int64_t for_each_row(const std::string& path, const JsonLinesOptions& options,
                     const std::function<void(const Json&, const std::string&)>& on_row);

}  // namespace craft
