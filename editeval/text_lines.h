// Plain text files of others, line by line.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace craft {

// The lines of a file: split at newlines only, a carriage return at a line's end taken off, a byte order mark at the start
// skipped; a last line counts without its newline. Throws Error naming file and line on bytes that are not UTF-8 and on NUL,
// which no text has; and as read_file() does.
std::vector<std::string> read_text_lines(const std::filesystem::path& file);
// The same of bytes in memory; `where` stands for the file.
std::vector<std::string> split_text_lines(std::string_view bytes, const std::string& where);
// "FILE:12", with lines counted from 1 for `index` 0.
std::string line_place(const std::filesystem::path& file, size_t index);

}  // namespace craft
