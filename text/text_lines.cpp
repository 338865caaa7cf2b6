#include "text/text_lines.h"

#include <algorithm>

#include "core/error.h"
#include "core/files.h"
#include "text/utf8.h"

namespace craft {

namespace {

void check_line(const TextLine& line, const std::string& name) {
    const std::string where = name + ":" + std::to_string(line.number);
    if (const size_t bad = invalid_utf8_at(line.text); bad != std::string_view::npos) {
        throw Error(where, "UTF-8", "another byte at column " + std::to_string(bad + 1));
    }
    if (const size_t nul = line.text.find('\0'); nul != std::string_view::npos) {
        throw Error(where, "text", "a NUL byte at column " + std::to_string(nul + 1));
    }
}

}  // namespace

std::string read_text(const std::string& path) {
    return read_file(path == "-" ? "/dev/stdin" : path);
}

TextLines::TextLines(std::string_view bytes, std::string name) : bytes_(bytes), name_(std::move(name)) {
    constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
    if (bytes_.substr(0, kByteOrderMark.size()) == kByteOrderMark) bytes_.remove_prefix(kByteOrderMark.size());
    plain_ = bytes_.find('\0') == std::string_view::npos && invalid_utf8_at(bytes_) == std::string_view::npos;
}

bool TextLines::next(TextLine& line) {
    if (at_ >= bytes_.size()) return false;
    const size_t end = std::min(bytes_.find('\n', at_), bytes_.size());
    line = {bytes_.substr(at_, end - at_), ++number_, end < bytes_.size(), false};
    if (!line.text.empty() && line.text.back() == '\r') {
        line.text.remove_suffix(1);
        line.crlf = line.ended;
    }
    at_ = end + 1;
    if (!plain_) check_line(line, name_);
    return true;
}

std::vector<std::string> split_text_lines(std::string_view bytes, const std::string& where) {
    std::vector<std::string> all;
    TextLines lines(bytes, where);
    for (TextLine line; lines.next(line);) all.emplace_back(line.text);
    return all;
}

std::vector<std::string> read_text_lines(const std::filesystem::path& file) {
    return split_text_lines(read_file(file), file.string());
}

std::string line_place(const std::filesystem::path& file, size_t index) {
    return file.string() + ":" + std::to_string(index + 1);
}

SentenceFile parse_sentences(std::string_view bytes, const std::string& name) {
    SentenceFile file = {name, {}};
    TextLines lines(bytes, name);
    for (TextLine line; lines.next(line);) file.sentences.push_back(trim(line.text));
    return file;
}

SentenceFile read_sentences(const std::string& path) {
    return parse_sentences(read_text(path), path == "-" ? "stdin" : path);
}

void check_line_count(const SentenceFile& file, size_t count, const std::string& whose) {
    const size_t lines = file.sentences.size();
    if (lines == count) return;
    const std::string place = lines == 0 ? file.name : file.name + ":" + std::to_string(std::min(lines, count + 1));
    throw Error(place, std::to_string(count) + " lines, " + whose, std::to_string(lines));
}

}  // namespace craft
