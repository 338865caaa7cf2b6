// Plain text files, line by line: what any text file must be to be read here.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace craft {

// One line of a file, without its end, and its number from 1 for messages.
struct TextLine {
    std::string_view text;
    size_t number = 0;
    bool ended = false;  // by a newline; the last one may have none
    bool crlf = false;   // by CR LF
};

// The bytes of a file, `-` for stdin. Throws Error if it cannot be read.
std::string read_text(const std::string& path);
// The lines of a file one after the other. They are cut at newlines only, so that no other separator of Unicode moves a
// sentence against its annotation. A last line without a newline counts, nothing after the last newline does not. A byte
// order mark at the start is left out.
class TextLines {
public:
    // The bytes must outlive it.
    TextLines(std::string_view bytes, std::string name);
    // Whether there was another line. Throws Error with `name`:line on bytes that are not UTF-8 and on NUL; the next call
    // continues after that line.
    bool next(TextLine& line);

private:
    std::string_view bytes_;
    std::string name_;
    bool plain_ = false;  // nothing in them is wrong
    size_t at_ = 0, number_ = 0;
};

// All lines as they are. Throws Error likewise, and as read_file() does.
std::vector<std::string> read_text_lines(const std::filesystem::path& file);
// The same of bytes in memory; `where` stands for the file.
std::vector<std::string> split_text_lines(std::string_view bytes, const std::string& where);
// "FILE:12", with lines counted from 1 for `index` 0.
std::string line_place(const std::filesystem::path& file, size_t index);

// The lines of a file, white space at both ends left out: sentences as m2scorer and ERRANT take them.
struct SentenceFile {
    std::string name;  // for messages
    std::vector<std::string> sentences;
};
SentenceFile parse_sentences(std::string_view bytes, const std::string& name);
SentenceFile read_sentences(const std::string& path);  // `-` is stdin
// Throws Error if there are not that many, with the last line, or the first that is too many. `whose`: "as in s.txt".
void check_line_count(const SentenceFile& file, size_t count, const std::string& whose);

}  // namespace craft
