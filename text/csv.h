// Tables as text (RFC 4180), as spreadsheets and data sets have them.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace craft {

struct CsvRow {
    std::vector<std::string> fields;
    size_t line = 0;  // where it begins, from 1
};

// Rows end with CR LF, LF or CR; a field in quotation marks may hold all of these, and a quotation mark as two. A quotation
// mark in a field that does not begin with one is text, as in Python's csv. Blank lines and a byte order mark at the start
// are left out. Throws Error with `name`:line on bytes that are not UTF-8 (with what to do about it), on NUL, on text after
// a closing quotation mark, and on one that never closes.
std::vector<CsvRow> parse_csv(std::string_view bytes, const std::string& name, char separator = ',');
// A row with its CR LF. Quotation marks stand around fields that need them and no others.
std::string csv_row(const std::vector<std::string>& fields);

// A field that no spreadsheet takes for a formula: an apostrophe before a text that begins with = + - @ (or one of their
// full-width forms), a tab or a line break, whatever blanks and apostrophes stand before that.
std::string without_formula(const std::string& text);
// The text that was given to without_formula().
std::string with_formula(const std::string& field);

}  // namespace craft
