#include "text/latex.h"

#include <algorithm>
#include <array>
#include <unordered_set>

#include "core/ascii.h"

namespace craft {

namespace {

constexpr size_t kNone = std::string_view::npos;
constexpr size_t kLongest = 2000;  // bytes of an argument or a formula: texts full of open brackets are read in linear time

// Whose argument is part of the keyword.
bool takes_argument(std::string_view name) {
    static constexpr std::array<std::string_view, 9> kNames = {"label", "ref",     "eqref", "autoref", "pageref",
                                                               "cref",  "nameref", "begin", "end"};
    return std::find(kNames.begin(), kNames.end(), name) != kNames.end() || name.starts_with("cite") ||
           name.starts_with("Cref");
}

// After the bracket that closes the one at `at`, on the same paragraph; kNone if there is none.
size_t after_group(std::string_view text, size_t at, char open, char close) {
    int depth = 0;
    for (size_t i = at; i < std::min(text.size(), at + kLongest); ++i) {
        if (text[i] == '\n' && i + 1 < text.size() && text[i + 1] == '\n') return kNone;
        if (text[i] == '\\') {
            ++i;
        } else if (text[i] == open) {
            ++depth;
        } else if (text[i] == close && --depth == 0) {
            return i + 1;
        }
    }
    return kNone;
}

// After the mark that ends mathematics begun before `at`, in the same paragraph.
size_t after_mark(std::string_view text, size_t at, std::string_view mark) {
    for (size_t i = at; i + mark.size() <= std::min(text.size(), at + kLongest); ++i) {
        if (text[i] == '\n' && i + 1 < text.size() && text[i + 1] == '\n') return kNone;
        if (text.substr(i, mark.size()) == mark) return i + mark.size();
        if (text[i] == '\\') ++i;
    }
    return kNone;
}

// After the keyword that begins with the backslash at `at`.
size_t after_command(std::string_view text, size_t at) {
    size_t end = at + 1;
    if (end == text.size()) return end;
    if (text[end] == '(' || text[end] == '[') {
        const size_t mathematics = after_mark(text, end + 1, text[end] == '(' ? "\\)" : "\\]");
        return mathematics == kNone ? end + 1 : mathematics;
    }
    if (!is_ascii_letter(text[end])) return end + 1;
    while (end < text.size() && is_ascii_letter(text[end])) ++end;
    const std::string_view name = text.substr(at + 1, end - at - 1);
    if (end < text.size() && text[end] == '*') ++end;
    if (!takes_argument(name)) return end;
    size_t argument = end;
    while (argument < text.size() && text[argument] == '[') {
        const size_t behind = after_group(text, argument, '[', ']');
        if (behind == kNone) return end;
        argument = behind;
    }
    if (argument >= text.size() || text[argument] != '{') return end;
    const size_t behind = after_group(text, argument, '{', '}');
    return behind == kNone ? end : behind;
}

}  // namespace

std::vector<std::string> latex_keywords(std::string_view text) {
    std::vector<std::string> found;
    std::unordered_set<std::string_view> seen;
    const auto note = [&](size_t begin, size_t end) {
        const std::string_view keyword = text.substr(begin, end - begin);
        if (seen.insert(keyword).second) found.emplace_back(keyword);
    };
    size_t no_dollar_before = 0;  // a dollar that found no partner is not looked for again within its paragraph
    for (size_t i = 0; i < text.size();) {
        size_t end = i + 1;
        if (text[i] == '\\') {
            end = after_command(text, i);
            note(i, end);
        } else if (text[i] == '$' && i >= no_dollar_before) {
            const std::string_view mark = text.substr(i, 2) == "$$" ? "$$" : "$";
            const size_t behind = after_mark(text, i + mark.size(), mark);
            if (behind == kNone) {
                no_dollar_before = std::min(text.find("\n\n", i), text.size());
                end = i + mark.size();
            } else {
                end = behind;
                if (end - i > 2 * mark.size()) note(i, end);
            }
        }
        i = end;
    }
    return found;
}

}  // namespace craft
