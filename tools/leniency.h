// What reading let pass that the form of calls and responses does not have: counted by its kind, so that reports can tell
// how much of a figure rests on it. Text that could not be read at all is no leniency.
#pragma once

#include <cstdint>
#include <map>
#include <string>

namespace craft {

using Leniency = std::map<std::string, int64_t>;

inline void add_leniency(Leniency& counts, const Leniency& more) {
    for (const auto& [kind, count] : more) counts[kind] += count;
}

// Each of a call, or of a line of text among calls.
namespace leniency {
inline constexpr const char* kSingleQuotes = "single_quotes";
inline constexpr const char* kKeywordArguments = "keyword_arguments";
inline constexpr const char* kAliasName = "alias_name";  // of a tool or of a parameter
inline constexpr const char* kLoneId = "lone_id";        // a number in place of a list
inline constexpr const char* kSeveralLines = "call_over_several_lines";
inline constexpr const char* kSpacing = "spacing";              // blanks, escapes, commas that the normal form has not
inline constexpr const char* kAroundCall = "text_around_call";  // bullets, labels, brackets, remarks on a call's line
inline constexpr const char* kSeveralCalls = "several_calls_on_a_line";
inline constexpr const char* kProse = "prose_between_calls";
inline constexpr const char* kFenceBetween = "fence_between_calls";
inline constexpr const char* kJsonStrings = "calls_in_json";
}  // namespace leniency

}  // namespace craft
