#include "text/words.h"

#include "text/code_points.h"
#include "text/utf8.h"

namespace craft {

namespace {

template <typename OnWord>  // OnWord(begin, end), byte offsets
void for_each_word(std::string_view text, OnWord on_word) {
    size_t begin = 0;
    bool inside = false;
    for (size_t i = 0; i < text.size();) {
        const CodePoint found = code_point_at(text, i);
        const bool word = !is_space(found.value);
        if (word && !inside) begin = i;
        if (!word && inside) on_word(begin, i);
        inside = word;
        i += found.bytes;
    }
    if (inside) on_word(begin, text.size());
}

}  // namespace

std::vector<std::string> whitespace_words(std::string_view text) {
    std::vector<std::string> words;
    for_each_word(text, [&](size_t begin, size_t end) { words.emplace_back(text.substr(begin, end - begin)); });
    return words;
}

int64_t count_whitespace_words(std::string_view text) {
    int64_t count = 0;
    for_each_word(text, [&](size_t, size_t) { ++count; });
    return count;
}

int64_t count_occurrences(std::string_view text, std::string_view part) {
    if (part.empty()) return 0;
    int64_t count = 0;
    for (size_t at = text.find(part); at != std::string_view::npos; at = text.find(part, at + part.size())) ++count;
    return count;
}

int64_t count_keyword(std::string_view text, std::string_view keyword) {
    return count_occurrences(lowercase(text), lowercase(keyword));
}

}  // namespace craft
