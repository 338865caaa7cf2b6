// Whether an instruction in words says the values of its constraints.
#pragma once

#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "data/constraints/instruction_tokens.h"
#include "data/instruction.h"

namespace craft {

inline bool starts_with_any(std::string_view text, const std::vector<std::string_view>& marks) {
    return std::any_of(marks.begin(), marks.end(), [&](std::string_view mark) { return text.starts_with(mark); });
}
inline bool ends_with_any(std::string_view text, const std::vector<std::string_view>& marks) {
    return std::any_of(marks.begin(), marks.end(), [&](std::string_view mark) { return text.ends_with(mark); });
}

// Takes every quoted occurrence of the keyword out of the text; false if there is none. Punctuation may stand before the
// closing mark.
inline bool take_quoted(std::string& text, const std::string& keyword) {
    static const std::vector<std::string_view> opening = {"'", "\"", "`", "\u2018", "\u201c"};
    static const std::vector<std::string_view> closing = {"'", "\"", "`", "\u2019", "\u201d"};
    bool found = false;
    for (size_t at = text.find(keyword); at != std::string::npos; at = text.find(keyword, at)) {
        std::string_view rest = std::string_view(text).substr(at + keyword.size());
        if (starts_with_any(rest, {".", ",", ";", ":", "!", "?"})) rest.remove_prefix(1);
        if (starts_with_any(rest, closing) && ends_with_any(std::string_view(text).substr(0, at), opening)) {
            text.erase(at, keyword.size());
            found = true;
        } else {
            at += keyword.size();
        }
    }
    return found;
}

// False if the rewritten text lost a number (digits or words, shifted forms included), a keyword in quotes or a sentence id.
// Sentences that the original names by their place are not looked for.
inline bool keeps_values(const std::string& rewritten, const std::string& original,
                         const std::vector<Constraint>& constraints) {
    // Keywords are taken out before numbers are looked for: they may be numbers themselves.
    std::string text = rewritten, source = original;
    std::set<std::string> keywords;
    for (const Constraint& c : constraints) keywords.insert(c.keyword);
    keywords.erase("");
    for (const std::string& keyword : keywords) {
        if (!take_quoted(text, keyword)) return false;
        take_quoted(source, keyword);
    }
    const std::set<int64_t> said = numbers_in(text), meant = numbers_in(source);
    for (const Constraint& c : constraints) {
        // An id that the original does not say is that of a sentence named by its place.
        for (const int64_t id : c.ids)
            if (meant.contains(id) && !said.contains(id)) return false;
        const SubType type = sub_type(c.shape);
        if (!c.ids.empty() || type == SubType::keyword_keep || type == SubType::keyword_remove) continue;
        for (const int64_t bound : {c.n, c.shape == Shape::words_range ? c.m : c.n})
            // Which of N-1, N and N+1 the template wrote is read off the original.
            for (const int64_t number : {bound - 1, bound, bound + 1})
                if (meant.contains(number) && !said.contains(number)) return false;
    }
    return true;
}

}  // namespace craft
