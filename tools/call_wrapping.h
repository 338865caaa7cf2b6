// What models write before and around calls: numbering, labels, arrows, tags, remarks; and calls in the forms of other
// programs.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "tools/tool_set.h"

namespace craft {

// Each length is that of one piece at the start of `rest`, the rest of a line; 0 if none stands there. All of them look at a
// bounded part of it, blanks apart, so that reading a long line piece by piece is linear.
size_t decoration_length(std::string_view rest);  // "1. ", "(2) ", "- ", "> ", "`", a bullet: where a line begins
size_t numbering_length(std::string_view rest);   // "a)", "(iv)", "b.", "[1]", "[x]", "[ ]", before a blank
size_t assignment_length(std::string_view rest);  // "x = ", "x, y = ", "(x, y) = ", "x: int = "
size_t label_length(std::string_view rest);       // "Word count:", "Length (words):", "Constraint #1:"; no call, no remark
size_t tag_length(std::string_view rest);         // "<tool>"
size_t symbol_length(std::string_view rest);      // an arrow, dash, bullet or typographic quotation mark

// A comment, a chat model's marker or a closing tag: after a call, they are no part of it.
bool starts_remark(std::string_view rest);
// Whether the parenthesis that `inside` begins with is closed at its end, or before a remark: not in "Sentence(s) to keep
// (3)". A plural alone is prose.
bool spans_line(std::string_view inside);
// ``` or ~~~, alone or with a language name; a call between fences on one line is none.
bool is_fence(std::string_view line);

// Calls in JSON or in tags begin so: `"name": "text_eval"`, `<function=text_eval>`. The length, as above.
size_t naming_length(std::string_view rest, const ToolSet& tools);
// The parts of a line that begin so, each up to the next one.
std::vector<std::string_view> named_calls(std::string_view line, const ToolSet& tools);
// The strings of `["text_eval()", "word_count_check(300, \"more than\")"]`, or of one line of such a list, after a label or
// an assignment or not. None where no quote is escaped: such lists are read as they stand.
std::vector<std::string> escaped_json_strings(std::string_view line);

}  // namespace craft
