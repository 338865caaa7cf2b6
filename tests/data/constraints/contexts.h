// The words around the slots of wordings.
#pragma once

#include <algorithm>
#include <cctype>
#include <set>
#include <string>
#include <vector>

#include "text/utf8.h"

namespace craft {

// Words in lower case; a slot is one word, "{}".
inline std::vector<std::string> words_of(const std::string& text) {
    std::vector<std::string> words;
    for (size_t at = 0; at < text.size();) {
        size_t end = at;
        if (text[at] == '{') {
            end = text.find('}', at) + 1;
            words.emplace_back("{}");
        } else {
            while (end < text.size() && (std::isalpha(static_cast<unsigned char>(text[end])) != 0 || text[end] == '\''))
                ++end;
            if (end > at) words.push_back(lowercase(text.substr(at, end - at)));
        }
        at = std::max(end, at + 1);
    }
    return words;
}

// The two words before and after each slot.
struct Contexts {
    std::set<std::string> before, behind;
    void add(const std::string& text) {
        const auto words = words_of(text);
        for (size_t i = 0; i < words.size(); ++i) {
            if (words[i] != "{}") continue;
            before.insert(before_of(words, i));
            behind.insert(after_of(words, i));
        }
    }
    // Whether one of the text's slots has other words before or after it than all those that were added.
    bool lack_one_of(const std::string& text) const {
        const auto words = words_of(text);
        for (size_t i = 0; i < words.size(); ++i)
            if (words[i] == "{}" && (!before.contains(before_of(words, i)) || !behind.contains(after_of(words, i))))
                return true;
        return false;
    }
    static std::string before_of(const std::vector<std::string>& words, size_t i) {
        return (i > 1 ? words[i - 2] + " " : "") + (i > 0 ? words[i - 1] : "");
    }
    static std::string after_of(const std::vector<std::string>& words, size_t i) {
        return (i + 1 < words.size() ? words[i + 1] : "") + (i + 2 < words.size() ? " " + words[i + 2] : "");
    }
};

}  // namespace craft
