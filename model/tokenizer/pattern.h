// Regular expressions of tokenizer files: written for Oniguruma, matched by PCRE2. Inside model/tokenizer/ only.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace craft {

// A part of a text and whether the pattern matched it.
struct PatternSpan {
    size_t begin = 0, end = 0;  // bytes
    bool match = false;
};

class Pattern {
public:
    // Throws Error naming `where` if it is no regular expression or has a construct that PCRE2 reads otherwise.
    static Pattern regular(const std::string& expression, const std::string& where);
    static Pattern literal(const std::string& text);

    // The matches and what is between them, in order, covering the text; an empty text is one empty span without match.
    // Matches are leftmost, apart; an empty one does not stand directly after another. Throws Error if matching takes more
    // steps than kMaxSteps from one place.
    void spans(std::string_view text, std::vector<PatternSpan>& out) const;

private:
    struct Compiled;
    std::string text_;                          // of a literal
    std::shared_ptr<const Compiled> compiled_;  // of a regular expression
};

// The expression in PCRE2's words. Throws Error naming `where` on what has no equal there.
std::string pcre_expression(const std::string& oniguruma, const std::string& where);

}  // namespace craft
