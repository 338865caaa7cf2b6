// Reads tool calls out of model text by a grammar; nothing is evaluated (docs/definitions.md, Tools).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tools/leniency.h"
#include "tools/tool_set.h"

namespace craft {

// One line (or one call, where a line holds several; or what was read of a call over several lines) that looked like a call.
struct ParsedToolCall {
    std::string text;               // as written, stripped; parse_calls reads it again as this one call
    std::optional<BoundCall> call;  // absent if unusable
    std::string problem;            // empty if usable, else "malformed: ...", "unknown tool: ..." or "wrong arguments: ..."
};

struct ParsedToolCalls {
    std::vector<ParsedToolCall> calls;  // usable and unusable ones, in order
    std::vector<std::string> ignored;   // fences, comments and prose: not calls, reported for inspection
    Leniency leniency = {};             // that the usable ones were read with; without calls, of what was ignored
};

// The calls in free text of the tools of a set. A line is a call where it starts with one, after bullets, numbering,
// backticks or `x =`; a tool's call, or one of another name with an underscore, also after a short label ("Length
// (words):"), arrows, tags, a fence's language, a table's bars, or inside brackets or quotation marks. Brackets may close on
// a later line. Further calls may follow, with or without `,`, `;`, `and` or `then`, and then a comment, brackets or other
// words. A call may run over several lines inside its parentheses, with comments; of one that was left open, reading resumes
// where it stopped. Arguments are literals, positional or by keyword; a call inside a call is unusable, and so are a tool's
// arguments without their parenthesis (`word_count_check 300`), a call that is part of an expression, and a tool named in
// JSON or in a tag, with its arguments apart; a JSON list of calls is read as these. Of other names, only what is written
// like a call is one: name( at the start and ) at the end, or literals after name(. Fences (with language names), comment
// lines and every other line are ignored. Never throws on any bytes; linear time.
ParsedToolCalls parse_calls(std::string_view text, const ToolSet& tools);
// Exactly one call and nothing else but white space. Throws Error naming what is wrong.
BoundCall parse_call(std::string_view text, const ToolSet& tools);

}  // namespace craft
