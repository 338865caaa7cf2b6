// What reading let pass that the form of calls and responses does not have: counted by its kind, so that reports can tell
// how much of a figure rests on it. Text that could not be read at all is no leniency.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace craft {

using Leniency = std::map<std::string, int64_t>;

inline void add_leniency(Leniency& counts, const Leniency& more) {
    for (const auto& [kind, count] : more) counts[kind] += count;
}
// Counts what a text has or has not, once however often it is found there; returns `is_there`.
inline bool note_leniency(Leniency& counts, const std::string& kind, bool is_there = true) {
    if (is_there) counts[kind] = 1;
    return is_there;
}
// As rows of results have it, and read back: the kinds in their order, each as often as it was counted.
inline std::vector<std::string> leniency_kinds(const Leniency& counts) {
    std::vector<std::string> kinds;
    for (const auto& [kind, count] : counts) kinds.insert(kinds.end(), static_cast<size_t>(count), kind);
    return kinds;
}
inline Leniency leniency_of(const std::vector<std::string>& kinds) {
    Leniency counts;
    for (const std::string& kind : kinds) ++counts[kind];
    return counts;
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
