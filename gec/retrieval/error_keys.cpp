#include "gec/retrieval/error_keys.h"

#include <algorithm>

#include "gec/retrieval/compared_words.h"

namespace craft {

namespace {

constexpr size_t kMaxKeyWords = 4;

std::string key_of(const std::vector<std::string>& words, size_t begin, size_t end) {
    std::string key;
    for (size_t i = begin; i < end; ++i) key.append(i == begin ? "" : " ").append(words[i]);
    return key;
}

}  // namespace

std::vector<std::string> error_keys(std::string_view before, std::string_view from, std::string_view behind,
                                    bool wrong_anywhere) {
    const std::vector<std::string> left = compared_words(before), wrong = compared_words(from),
                                   right = compared_words(behind);
    std::vector<std::string> words;
    if (!left.empty()) words.push_back(left.back());
    const size_t begin = words.size(), end = begin + wrong.size();
    words.insert(words.end(), wrong.begin(), wrong.end());
    if (!right.empty()) words.push_back(right.front());
    std::vector<std::string> keys;
    const auto add = [&](size_t first, size_t last) {
        if (last <= first || last - first > kMaxKeyWords) return;
        std::string key = key_of(words, first, last);
        if (std::find(keys.begin(), keys.end(), key) == keys.end()) keys.push_back(std::move(key));
    };
    if (wrong.empty()) {
        if (words.size() == 2) add(0, 2);
        return keys;
    }
    add(0, words.size());
    if (begin > 0) add(0, end);
    if (end < words.size()) add(begin, words.size());
    if (wrong_anywhere) add(begin, end);
    return keys;
}

std::vector<std::string> possible_error_keys(std::string_view sentence) {
    const std::vector<std::string> words = compared_words(sentence);
    std::vector<std::string> keys;
    for (size_t length = kMaxKeyWords; length > 0; --length)
        for (size_t i = 0; i + length <= words.size(); ++i) keys.push_back(key_of(words, i, i + length));
    return keys;
}

}  // namespace craft
