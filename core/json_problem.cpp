#include "core/json_problem.h"

#include <algorithm>
#include <array>
#include <utility>

#include "core/utf8.h"

namespace craft {

namespace {

using Words = std::pair<const char*, const char*>;

// How the library names what it found or wanted, and how we do.
constexpr std::array<Words, 9> kTokens = {{{"end of input", "the end of the text"},
                                           {"'[', '{', or a literal", "a value"},
                                           {"string literal", "a string"},
                                           {"number literal", "a number"},
                                           {"true literal", "true"},
                                           {"false literal", "false"},
                                           {"null literal", "null"},
                                           {"'}'", "',' or '}'"},
                                           {"']'", "',' or ']'"}}};
// What its lexer says, by how that begins.
constexpr std::array<Words, 7> kUnreadable = {
    {{"invalid string: missing closing quote", "a string without its closing quote"},
     {"invalid string: control character", "a line break or another control character in a string"},
     {"invalid string: surrogate", "half a pair of surrogates (\\uD800 to \\uDFFF)"},
     {"invalid string: '\\u'", "\\u without four hexadecimal digits"},
     {"invalid string: forbidden character after backslash", "an escape that JSON does not have"},
     {"invalid number", "a number in a form that JSON does not have"},
     {"invalid comment", "a comment that does not end"}}};

bool contains(const std::string& text, const char* part) {
    return text.find(part) != std::string::npos;
}

std::string between(const std::string& text, const std::string& before, const std::string& after) {
    const size_t found = text.find(before);
    if (found == std::string::npos) return "";
    const size_t begin = found + before.size();
    return text.substr(begin, after.empty() ? std::string::npos : text.find(after, begin) - begin);
}

std::string in_our_words(const std::string& token) {
    for (const auto& [theirs, ours] : kTokens)
        if (token == theirs) return ours;
    return token;
}

std::string expected_token(const std::string& said) {
    if (contains(said, "object key")) return "a key in double quotes";
    const std::string token = between(said, "; expected ", "");
    if (!token.empty()) return in_our_words(token);
    return contains(said, "invalid literal") ? "a value (strings stand in double quotes)" : "a value";
}

std::string found_token(const std::string& said) {
    const std::string unexpected = between(said, "unexpected ", ";");
    if (unexpected.size() == 3) return unexpected;  // a sign in quotes
    if (!unexpected.empty()) return in_our_words(unexpected);
    std::string read = between(said, "last read: '", "; expected");  // with what comes before the word
    read.resize(std::min(read.rfind('\''), read.size()));
    return "'" + shortened(read.substr(read.find_last_of(" :,[{>\t") + 1), 40) + "'";
}

// "line 3, column 5: expected a value, got '}'", of what follows "parse error at ".
std::string syntax_problem(const std::string& said) {
    std::string place = said.substr(0, said.find(": "));
    if (place.starts_with("line 1, ")) place = place.substr(8);
    for (const auto& [theirs, ours] : kUnreadable)
        if (contains(said, theirs)) return place + ": " + ours;
    return place + ": expected " + expected_token(said) + ", got " + found_token(said);
}

}  // namespace

std::string json_problem(const std::string& message) {
    const std::string said = between(message, "parse error at ", ""),
                      number = between(message, "number overflow parsing ", ""),
                      key = between(message, "key '", "' not found");
    if (!number.empty()) return "not JSON: a number that is too large, " + shortened(number, 40);
    if (!key.empty()) return "no key '" + key + "'";
    if (said.empty()) return "a value of another type than is expected there";
    return "not JSON: " + syntax_problem(said);
}

}  // namespace craft
