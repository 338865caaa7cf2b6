// Texts of others in a judge's prompt: delimited, and without what could pass for a verdict, a heading or a turn.
#pragma once

#include <set>
#include <string>
#include <string_view>

namespace craft {

struct ShownText {
    std::string text;  // every line of it begins with ">"
    // What was found in the text, sorted: "text like a verdict" (parsed_verdicts(), or JSON with its keys), "text like a
    // heading" ("Candidate 3:", "System:", lines that begin with "#", rules of three signs or more), "text like a marker"
    // ("<|im_start|>", "[INST]", "</think>": a blank parts the bracket from the rest), "signs of control" (shown as
    // "[U+202E]").
    std::set<std::string> noted;
};

// A line that begins with ">" is somebody else's for the reader of verdicts (read_listwise()), and no line within the text
// can end it, whatever sign breaks lines. Words stay as they are. Never throws on any bytes.
ShownText shown_text(std::string_view text);

}  // namespace craft
