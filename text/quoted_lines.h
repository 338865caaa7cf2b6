// Texts of others in a prompt: every line of them marked, and nothing in them that could end a line, a turn or a mark.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace craft {

struct QuotedLines {
    std::vector<std::string> lines;  // without the ">"; at least one
    // What was found, sorted: "text like a marker" ("<|im_start|>", "[INST]", "</think>": a blank parts the bracket from the
    // rest), "signs of control" (shown as "[U+202E]").
    std::set<std::string> noted;

    std::string text() const;  // each line prefixed with "> ", an empty one with ">"
};

// Whatever sign breaks lines, a line ends where a reader would see it end. Words stay as they are. Never throws on any
// bytes.
QuotedLines quoted_lines(std::string_view text);
// Whether there is a sign that breaks lines or one of those that are shown by their numbers.
bool has_signs_of_control(std::string_view text);

}  // namespace craft
