// Regular expressions of spaCy's tokenizer, written for Python's `re`, searched for within texts by PCRE2.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace craft {

// In bytes of the text that was searched.
struct PatternMatch {
    size_t begin = 0;
    size_t end = 0;
};

// Classes are Unicode's; "\uXXXX" and "\UXXXXXXXX" mean what they mean in Python. Thread-safe.
class PythonPattern {
public:
    // Throws Error naming `where` if it is no regular expression, or longer than 100,000 bytes.
    PythonPattern(const std::string& expression, std::string where);

    // re.search from byte `from` on: what lies before can be looked back at. `text` is UTF-8. Throws Error naming `where` if
    // the search takes more than kMaxSteps steps.
    std::optional<PatternMatch> search(std::string_view text, size_t from = 0) const;
    bool matches_start(std::string_view text) const;  // re.match

    static constexpr unsigned kMaxSteps = 50'000'000;

private:
    struct Compiled;
    std::optional<PatternMatch> match(std::string_view text, size_t from, unsigned options) const;
    std::shared_ptr<const Compiled> compiled_;
};

}  // namespace craft
