#include "core/error.h"

#include <algorithm>
#include <numeric>

#include "core/utf8.h"

namespace craft {

namespace {

std::string error_line(const std::string& where, const std::string& expected, const std::string& got,
                       const std::string& hint) {
    std::string line = where;
    if (!expected.empty()) line += (line.empty() ? "expected " : ": expected ") + expected;
    if (!got.empty()) line += ", got " + got;
    if (!hint.empty()) line += " (" + hint + ")";
    return line;
}

std::string joined(const std::vector<std::string>& items, const std::string& separator) {
    std::string out;
    for (const auto& item : items) out += (out.empty() ? "" : separator) + item;
    return out;
}

size_t edit_distance(const std::string& a, const std::string& b) {
    std::vector<size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), size_t{0});
    for (size_t i = 1; i <= a.size(); ++i) {
        size_t diagonal = row[0];
        row[0] = i;
        for (size_t j = 1; j <= b.size(); ++j) {
            const size_t substituted = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
            diagonal = row[j];
            row[j] = std::min({row[j] + 1, row[j - 1] + 1, substituted});
        }
    }
    return row.back();
}

}  // namespace

Error::Error(const std::string& where, const std::string& expected, const std::string& got, const std::string& hint)
    : std::runtime_error(error_line(where, expected, got, hint)) {}

UsageError::UsageError(std::vector<std::string> problems) : Error(joined(problems, "\n")), problems_(std::move(problems)) {}

std::string nearest_name(const std::string& name, const std::vector<std::string>& known) {
    std::string best;
    // A name of which every letter would have to change is not near.
    size_t best_distance = std::min(std::max<size_t>(2, name.size() / 3) + 1, std::max<size_t>(1, name.size()));
    for (const auto& candidate : known) {
        const size_t distance = edit_distance(name, candidate);
        if (distance < best_distance) {
            best_distance = distance;
            best = candidate;
        }
    }
    return best;
}

std::string did_you_mean(const std::string& name, const std::vector<std::string>& known) {
    const std::string near = nearest_name(name, known);
    return near.empty() || near == name ? "" : "; did you mean '" + near + "'?";
}

std::string expected_one_of(const std::vector<std::string>& known, const std::string& got) {
    return "expected one of " + joined(known, ", ") + ", got '" + shortened(got, 80) + "'" + did_you_mean(got, known);
}

void throw_unknown(const std::string& kind, const std::string& name, const std::vector<std::string>& known) {
    throw UsageError("unknown " + kind + " '" + name + "'; known: " + joined(known, ", ") + did_you_mean(name, known));
}

std::string dropped_note(const std::map<std::string, int64_t>& dropped) {
    std::string reasons;
    for (const auto& [reason, count] : dropped)
        reasons += (reasons.empty() ? "" : ", ") + std::to_string(count) + " \"" + reason + "\"";
    return reasons.empty() ? "" : " (dropped: " + reasons + ")";
}

}  // namespace craft
