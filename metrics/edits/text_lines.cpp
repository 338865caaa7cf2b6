#include "metrics/edits/text_lines.h"

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

std::vector<TextLine> text_lines(std::string_view bytes, const std::string& name) {
    constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
    if (bytes.substr(0, kByteOrderMark.size()) == kByteOrderMark) bytes.remove_prefix(kByteOrderMark.size());
    const bool plain = bytes.find('\0') == std::string_view::npos && invalid_utf8_at(bytes) == std::string_view::npos;
    std::vector<TextLine> lines;
    for (size_t at = 0; at < bytes.size();) {
        const size_t end = std::min(bytes.find('\n', at), bytes.size());
        TextLine line = {bytes.substr(at, end - at), lines.size() + 1, false};
        if (!line.text.empty() && line.text.back() == '\r') {
            line.text.remove_suffix(1);
            line.crlf = end < bytes.size();
        }
        if (!plain) check_line(line, name);
        lines.push_back(line);
        at = end + 1;
    }
    return lines;
}

SentenceFile parse_sentences(std::string_view bytes, const std::string& name) {
    SentenceFile file = {name, {}};
    for (const TextLine& line : text_lines(bytes, name)) file.sentences.push_back(trim(line.text));
    return file;
}

SentenceFile read_sentences(const std::string& path) {
    return parse_sentences(read_text(path), path == "-" ? "stdin" : path);
}

}  // namespace craft
