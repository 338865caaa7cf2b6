#include "text/paragraphs.h"

#include <algorithm>

#include "text/utf8.h"

namespace craft {

namespace {

std::string_view from_to(std::string_view first, std::string_view last) {
    return {first.data(), static_cast<size_t>(last.data() + last.size() - first.data())};
}

}  // namespace

std::vector<std::string_view> stripped_lines(std::string_view text) {
    std::vector<std::string_view> lines;
    for (size_t begin = 0; begin <= text.size();) {
        const size_t end = std::min(text.find('\n', begin), text.size());
        lines.push_back(trim_view(text.substr(begin, end - begin)));
        begin = end + 1;
    }
    return lines;
}

std::vector<std::string_view> paragraph_views(std::string_view text) {
    const std::vector<std::string_view> lines = stripped_lines(trim_view(text));
    bool has_empty_line = false;
    for (const std::string_view line : lines) has_empty_line = has_empty_line || line.empty();
    std::vector<std::string_view> paragraphs;
    bool continues = false;
    for (const std::string_view line : lines) {
        if (line.empty()) {
            continues = false;
        } else if (continues) {
            paragraphs.back() = from_to(paragraphs.back(), line);
        } else {
            paragraphs.push_back(line);
            continues = has_empty_line;
        }
    }
    return paragraphs;
}

std::string with_paragraphs(std::string_view text, const std::function<std::string(const std::string&)>& change) {
    std::string made;
    size_t copied = 0;
    for (const std::string_view paragraph : paragraph_views(text)) {
        const auto begin = static_cast<size_t>(paragraph.data() - text.data());
        made += text.substr(copied, begin - copied);
        made += change(std::string(paragraph));
        copied = begin + paragraph.size();
    }
    return made += text.substr(copied);
}

}  // namespace craft
