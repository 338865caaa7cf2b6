// The rows of a JSON Lines file, or lines of another, each given to a function that may find it unfit.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "core/json.h"

namespace craft {

// What rows need besides themselves is broken (a folder's chat template): no row is bad for it, and none is skipped.
class SetupError : public Error {
public:
    explicit SetupError(const Error& error) : Error(std::string(error.what())) {}
};

// A bad line, "file:line: reason": throws it as an Error or, with skip_bad, counts it, in `bad_lines` of this file, too, and
// warns of the first ones.
void count_bad_line(const JsonLinesOptions& options, int64_t& bad_lines, const std::string& problem);
// Calls on_row(row, "file:line") for each row; returns how many bad lines were skipped. Throws Error if no row was good. An
// Error thrown by on_row ends the reading or, with skip_bad, is counted like a line that does not parse; a SetupError always
// ends it.
int64_t for_each_row(const std::string& path, const JsonLinesOptions& options,
                     const std::function<void(const Json&, const std::string&)>& on_row);
// The same of files of other forms: calls take_next() until it returns false, and returns how many bad lines were skipped.
// An Error thrown by it says of one line, after which the next call continues.
int64_t for_each_line(const JsonLinesOptions& options, const std::function<bool()>& take_next);

// read(row, "file:line") of the next row that is fit: those of which it throws Error are rejected. Nothing after the last.
template <class Read>
auto next_fit(JsonLinesReader& reader, const Read& read) {
    std::optional<decltype(read(Json(), std::string()))> fit;
    while (!fit) {
        const auto row = reader.next();
        if (!row) break;
        try {
            fit = read(*row, reader.where());
        } catch (const Error& error) {
            reader.reject(error.what());
        }
    }
    return fit;
}

}  // namespace craft
