// The grammar of a call: name ( argument, ... ), where an argument is a literal, positional or `keyword=`. What the
// arguments mean is tools/craft/craft_tools.h's matter.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace craft {

// A literal that no tool takes (a float, a negative or too large number, True, None), as written.
struct OtherLiteral {
    std::string text;
};
using ListItem = std::variant<int64_t, std::string, OtherLiteral>;
using Argument = std::variant<int64_t, std::string, std::vector<ListItem>, OtherLiteral>;

struct RawArgument {
    std::string keyword;  // empty: positional
    Argument value;
};

struct RawCall {
    std::string name;  // as written (written_name_at); dotted names are one name
    std::vector<RawArgument> arguments;
};

struct CallReading {
    RawCall call;
    std::string problem;         // empty: the call is well-formed
    bool single_quotes = false;  // of a string in it
    size_t end = 0;              // offset after its `)`, or of what should not have stood there
};

// The name that starts at `at` ([A-Za-z_][A-Za-z0-9_]*, dots inside); empty if none does.
std::string_view call_name_at(std::string_view text, size_t at);
// The same as models write it where they misspell a name: letters of any script, and hyphens inside ("word-count-check").
std::string_view written_name_at(std::string_view text, size_t at);
// Reads the call whose name starts at `at`. White space, newlines included, may stand between tokens, and inside the
// parentheses comments from # to the end of a line; a string ends on its line. Time is linear in what is read; any bytes.
CallReading read_call(std::string_view text, size_t at);

}  // namespace craft
