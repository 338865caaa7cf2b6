#include "gec/retrieval/compared_words.h"

#include <algorithm>

#include "text/code_points.h"
#include "text/utf8.h"

namespace craft {

namespace {

bool is_apostrophe(char32_t c) {
    return c == U'\'' || c == U'\u2019' || c == U'\u02BC';
}

// Signs that say nothing and change how what is around them is seen: of control, of direction, of no width, and tags.
bool is_unseen(char32_t c) {
    return c < 0x20 || (c >= 0x7F && c < 0xA0) || c == 0xAD || (c >= 0x200B && c <= 0x200F) ||
           (c >= 0x202A && c <= 0x202E) || (c >= 0x2060 && c <= 0x206F) || c == 0xFEFF || (c >= 0xE0000 && c <= 0xE007F);
}

}  // namespace

std::vector<std::string> compared_words(std::string_view text) {
    const std::u32string letters = decode_utf8(lowercase(text));
    std::vector<std::string> words;
    for (size_t at = 0; at < letters.size(); ++at) {
        if (is_unicode_space(letters[at])) continue;
        std::string word;
        if (!is_unicode_word_character(letters[at])) {
            append_utf8(word, is_apostrophe(letters[at]) ? U'\'' : letters[at]);
            words.push_back(std::move(word));
            continue;
        }
        for (; at < letters.size(); ++at) {
            const bool within =
                is_apostrophe(letters[at]) && at + 1 < letters.size() && is_unicode_word_character(letters[at + 1]);
            if (!within && !is_unicode_word_character(letters[at])) break;
            append_utf8(word, within ? U'\'' : letters[at]);
        }
        --at;
        words.push_back(std::move(word));
    }
    return words;
}

std::vector<std::string> search_words(std::string_view text) {
    std::vector<std::string> found;
    for (std::string& word : compared_words(text)) {
        const char32_t first = code_point_at(word, 0).value;
        const bool is_word =
            (is_letter(first) || in_number_category(first)) && invalid_utf8_at(word) == std::string_view::npos;
        if (is_word && std::find(found.begin(), found.end(), word) == found.end()) found.push_back(std::move(word));
    }
    return found;
}

std::string any_of_words(const std::vector<std::string>& words) {
    std::string query;
    for (const std::string& word : words) {
        query += query.empty() ? "\"" : " OR \"";
        for (const char c : word) query.append(c == '"' ? 2 : 1, c);
        query += '"';
    }
    return query;
}

std::string shown_line(std::string_view text, size_t code_points) {
    std::string line;
    size_t count = 0;
    bool blank = false;
    for (size_t at = 0; at < text.size();) {
        const CodePoint one = code_point_at(text, at);
        at += one.bytes;
        const bool space = is_unicode_space(one.value) || one.value < 0x20 || (one.value >= 0x7F && one.value < 0xA0);
        if (space || is_unseen(one.value)) {
            blank = blank || (space && !line.empty());
            continue;
        }
        if (count >= code_points) return line + "...";
        if (blank) line += ' ', ++count;
        blank = false;
        const bool is_byte = one.value >= 0xDC80 && one.value <= 0xDCFF;
        append_utf8(line, is_byte ? U'\uFFFD' : one.value);
        ++count;
    }
    return line;
}

}  // namespace craft
