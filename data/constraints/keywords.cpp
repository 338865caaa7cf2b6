#include "data/constraints/keywords.h"

#include <algorithm>
#include <string_view>

#include "text/code_points.h"
#include "text/utf8.h"
#include "text/words.h"

namespace craft {

namespace {

bool is_word_part(char32_t c) {
    return c != '_' && (is_word_character(c) || is_letter(c));
}

// The word without punctuation around it; empty unless it is made of letters, of any script, and inner hyphens.
std::string plain_word(std::u32string_view token) {
    while (!token.empty() && !is_word_part(token.front())) token.remove_prefix(1);
    while (!token.empty() && !is_word_part(token.back())) token.remove_suffix(1);
    const bool plain = std::all_of(token.begin(), token.end(), [](char32_t c) { return is_letter(c) || c == '-'; });
    std::string word;
    if (plain && token.size() >= 3 && token.size() <= 24)
        for (const char32_t c : token) append_utf8(word, c);
    return word;
}

// East Asian punctuation parts words: no blank follows it.
bool parts_words(char32_t c) {
    return c >= 0x3000 && !is_word_part(c);
}

}  // namespace

std::vector<std::string> plain_words(const std::string& text) {
    std::vector<std::string> words;
    for (const std::string& token : whitespace_words(text)) {
        const std::u32string characters = decode_utf8(token);
        for (auto begin = characters.begin(); begin != characters.end();) {
            const auto end = std::find_if(begin, characters.end(), parts_words);
            if (std::string word = plain_word({begin, end}); !word.empty()) words.push_back(std::move(word));
            begin = end == characters.end() ? end : end + 1;
        }
    }
    return words;
}

bool clashes(const std::string& keyword, const std::vector<std::string>& others) {
    const std::string lower = lowercase(keyword);
    return std::any_of(others.begin(), others.end(), [&](const std::string& other) {
        const std::string used = lowercase(other);
        return used.find(lower) != std::string::npos || lower.find(used) != std::string::npos;
    });
}

}  // namespace craft
