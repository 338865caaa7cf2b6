// Comma-separated values by RFC 4180.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace craft {

struct StsCsvRow {
    std::vector<std::string> fields;
    int64_t line = 0;  // where the row begins, from 1
};

// A field in double quotes may hold commas, line breaks and doubled quotes. A quote inside a field that does not begin with
// one is text, as in Python's csv. Lines end with LF or CRLF; blank ones are skipped. Throws Error naming `where` and the
// line: a quote that is not closed, text behind a closing one.
std::vector<StsCsvRow> parse_csv(std::string_view text, const std::string& where);

}  // namespace craft
