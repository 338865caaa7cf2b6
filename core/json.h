// JSON and JSON Lines: one object a line, UTF-8, `-` is stdin or stdout.
#pragma once

#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "core/error.h"
#include "core/files.h"

namespace craft {

using Json = nlohmann::ordered_json;

// Deeper nesting is refused: no file of ours has it, and code that walks a value may recurse.
constexpr int kMaxJsonDepth = 100;

// Parses a JSON document; comments (// and /* */) are allowed. Throws Error naming `where` and line:column.
Json parse_json(const std::string& text, const std::string& where);
Json read_json_file(const std::filesystem::path& path);
// Written to a temporary name, fsynced, renamed. `indent` -1 is one line.
void write_json_file(const std::filesystem::path& path, const Json& value, int indent = 2);
// One line without newline; bytes that are not UTF-8 are replaced, never thrown on.
std::string dump_line(const Json& value);
// Whether an object has a value under this key: null means absent.
bool has_value(const Json& object, const std::string& name);
// An object without the keys that have no value: null means absent. Anything else as it is.
Json without_nulls(Json object);

template <class T>
Json value_or_null(const std::optional<T>& value) {
    return value ? Json(*value) : Json(nullptr);
}

// A required or optional field of a row. Throws Error(where + ": field 'x'") on a missing field or a wrong type.
std::string string_field(const Json& row, const std::string& name, const std::string& where);
std::optional<std::string> optional_string_field(const Json& row, const std::string& name, const std::string& where);
// A row's field 'id': a string, or a whole number as its digits. Throws Error likewise.
std::string id_text(const Json& row, const std::string& where);

struct JsonLinesOptions {
    bool skip_bad = false;                    // count and report bad lines instead of failing
    size_t max_line_bytes = size_t{8} << 20;  // a longer line is a bad line; it is never held in memory whole
    bool number_rows = true;                  // a row without an 'id' gets its line number as one
    int64_t* bad_lines = nullptr;             // bad lines are counted here too, over all files read with these options
};

// Streams rows: one JSON object a line. A bad line (not UTF-8, not JSON, no object, too long, nested deeper than
// kMaxJsonDepth) throws Error("file:line: reason") or, with skip_bad, is counted and logged. Null keys are left out; a row
// without an 'id' gets its line number. Blank lines and a byte order mark at the start are skipped; CRLF is accepted. While
// it waits for a pipe a stop signal ends it (throws Stopped).
class JsonLinesReader {
public:
    explicit JsonLinesReader(const std::string& path, const JsonLinesOptions& options = {});
    ~JsonLinesReader();
    JsonLinesReader(const JsonLinesReader&) = delete;
    JsonLinesReader& operator=(const JsonLinesReader&) = delete;
    std::optional<Json> next();
    // "file:line" of the row that next() returned last.
    std::string where() const;
    const std::string& name() const { return name_; }  // the file, or "stdin"
    int64_t bad_lines() const { return bad_; }
    // To be called by users that find a row unfit: throws, or counts it, like a line that does not parse.
    void reject(const std::string& reason);

private:
    bool fill();
    bool read_line(std::string& line);
    std::optional<Json> parse_line(const std::string& line);
    void bad_line(const std::string& problem);
    std::string name_;
    JsonLinesOptions options_;
    std::string buffer_;
    size_t at_ = 0;  // next byte of buffer_
    int fd_ = -1;
    int64_t line_ = 0;
    int64_t bad_ = 0;
    bool overlong_ = false;
};

// Writes rows to a temporary name beside `path`; close() renames it into place. `-` writes to stdout.
// Without close() (an exception) the temporary file is removed and an older file stays as it was.
class JsonLinesWriter {
public:
    explicit JsonLinesWriter(const std::string& path) : file_(path) {}
    void write(const Json& row);
    void flush() { file_.flush(); }
    void close() { file_.close(); }

private:
    OutputFile file_;
};

}  // namespace craft
