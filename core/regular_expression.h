// Regular expressions that come from configuration files written for Python's `re`, matched by PCRE2.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace craft {

// For short texts such as names. Where the two dialects differ in what such an expression may hold ("{,n}"), Python's
// meaning counts.
class RegularExpression {
public:
    // Throws Error naming `where` if it is no regular expression.
    RegularExpression(const std::string& expression, std::string where);

    // Each throws Error naming `where` if a match takes more steps than kMaxSteps or more memory than PCRE2 is allowed.
    bool matches_whole(std::string_view text) const;  // re.fullmatch
    bool matches_start(std::string_view text) const;  // re.match
    // The text of a named group in a match at the start; none: no match, or the group took no part in it.
    std::optional<std::string> group(std::string_view text, const std::string& name) const;

private:
    struct Compiled;
    bool match(std::string_view text, unsigned options, void* data) const;
    std::shared_ptr<const Compiled> compiled_;
};

}  // namespace craft
