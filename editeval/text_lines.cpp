#include "editeval/text_lines.h"

#include "core/error.h"
#include "core/files.h"
#include "core/utf8.h"

namespace craft {

std::vector<std::string> read_text_lines(const std::filesystem::path& file) {
    return split_text_lines(read_file(file), file.string());
}

std::vector<std::string> split_text_lines(std::string_view bytes, const std::string& where) {
    constexpr std::string_view kMark = "\xef\xbb\xbf";
    if (bytes.starts_with(kMark)) bytes.remove_prefix(kMark.size());
    std::vector<std::string> lines;
    while (!bytes.empty()) {
        const size_t end = std::min(bytes.find('\n'), bytes.size());
        std::string_view line = bytes.substr(0, end);
        bytes.remove_prefix(std::min(end + 1, bytes.size()));
        if (line.ends_with('\r')) line.remove_suffix(1);
        const std::string place = line_place(where, lines.size());
        if (const size_t at = invalid_utf8_at(line); at != std::string_view::npos)
            throw Error(place, "text in UTF-8",
                        "bytes that are none, from byte " + std::to_string(at + 1) + " of the line on");
        if (line.find('\0') != std::string_view::npos) throw Error(place, "text", "a NUL byte");
        lines.emplace_back(line);
    }
    return lines;
}

std::string line_place(const std::filesystem::path& file, size_t index) {
    return file.string() + ":" + std::to_string(index + 1);
}

}  // namespace craft
