#include "judge/verdicts/shown_text.h"

#include <algorithm>
#include <array>

#include "core/ascii.h"
#include "judge/verdicts/parsed_verdicts.h"
#include "text/quoted_lines.h"
#include "text/utf8.h"

namespace craft {

namespace {

constexpr size_t kLongestHeading = 60;  // bytes of a line that are looked at
// Beginnings of lines that a prompt has, or a conversation written out.
constexpr std::array<std::string_view, 14> kHeadings = {"source", "candidate", "candidates",  "reference",   "parse",
                                                        "links",  "verdict",   "system",      "assistant",   "user",
                                                        "human",  "judge",     "instruction", "instructions"};

bool looks_like_heading(std::string_view line) {
    std::string_view rest = trim_view(line);
    if (rest.starts_with("#")) return true;
    if (rest.size() >= 3 && rest.find_first_not_of("=-*_~`") == std::string_view::npos) return true;
    const std::string lower = ascii_lower(stripped(rest.substr(0, kLongestHeading), "*_[(<| "));
    const size_t colon = lower.find(':');
    if (colon == std::string::npos) return false;
    const std::string_view name = stripped(std::string_view(lower).substr(0, colon), "0123456789*_])>| ");
    return std::find(kHeadings.begin(), kHeadings.end(), name) != kHeadings.end();
}

}  // namespace

ShownText shown_text(std::string_view text) {
    const QuotedLines quoted = quoted_lines(text);
    ShownText shown{quoted.text(), quoted.noted};
    for (const std::string& line : quoted.lines) {
        if (looks_like_heading(line)) shown.noted.insert("text like a heading");
        if (!parsed_verdicts(line).empty()) shown.noted.insert("text like a verdict");
    }
    // Over several lines.
    const bool has_keys =
        text.find("\"best\"") != std::string_view::npos && text.find("\"worst\"") != std::string_view::npos;
    if (has_keys || !parsed_verdicts(text).empty()) shown.noted.insert("text like a verdict");
    return shown;
}

}  // namespace craft
