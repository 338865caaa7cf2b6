// The words of a text in LaTeX, without its commands (CRAFT Table 8: quality after commands are stripped).
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace craft {

struct LatexText {
    std::string text;  // on one line a paragraph, paragraphs apart by an empty line
    // What was taken out, by kind: "comment", "mathematics", "reference" (citations, labels and references with their
    // arguments), "environment" (begins and ends, and what is no prose between them), "argument" (of commands that set
    // something up: lengths, files, packages), "command", "accent", "brace".
    std::map<std::string, int64_t> dropped;
};

// CRAFT does not say how it strips; the rule here:
// - comments go from their percent sign to the end of the line; mathematics goes, inline and displayed, with its marks, and
//   so do the environments that hold mathematics, tables, pictures or listings;
// - a citation, label or reference goes with its arguments, and so does a command that sets something up; of any other
//   command the name and arguments in square brackets go, and what it takes in braces stays (\emph{both} gives "both");
// - a character that LaTeX writes with a backslash becomes itself (\% gives "%", \ss "ß"), an accent goes and its letter
// stays,
//   ~ and \\ become a blank, `` and '' a quotation mark, --- and -- a dash;
// - a blank before a comma, full stop or the like goes where something was taken out before it; blanks are joined.
// A brace, a dollar or a begin without its partner in the same paragraph is taken out alone. Never throws on any bytes;
// takes time linear in the text.
LatexText latex_text(std::string_view text);

}  // namespace craft
