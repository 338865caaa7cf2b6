#include "constraints/said_values.h"

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include "text/numbers.h"
#include "text/utf8.h"
#include "text/words.h"

namespace craft {

namespace {

constexpr size_t kLongestNumber = 7;  // words: "nine hundred thousand nine hundred and ninety-nine"

std::optional<int64_t> number_of(const std::string& words) {
    const std::string lower = lowercase(words);
    if (lower == "once") return 1;
    if (lower == "twice") return 2;
    if (lower == "thrice") return 3;
    const auto count = parse_number(lower);
    return count ? count : parse_ordinal(lower);
}

// A word without the punctuation around it. A number does not go on behind punctuation.
struct Word {
    std::string text;
    bool ends = false;
};

std::vector<Word> words_of(const std::string& text) {
    std::vector<Word> out;
    for (const std::string& token : whitespace_words(text)) {
        const auto inner = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; };
        const auto first = std::find_if(token.begin(), token.end(), inner);
        const auto last = std::find_if(token.rbegin(), token.rend(), inner).base();
        if (first < last) out.push_back({std::string(first, last), last != token.end()});
    }
    return out;
}

// "3,5" and "5-7" are two numbers each, unlike "1,200" and "forty-five".
void add_parts(const std::string& word, std::set<int64_t>& numbers) {
    std::string part;
    for (const char c : word + ",") {
        if (c != ',' && c != '-' && c != '/') {
            part += c;
            continue;
        }
        if (const auto number = number_of(part)) numbers.insert(*number);
        part.clear();
    }
}

bool is_letter_or_digit(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0;
}

// An apostrophe within a word opens and closes nothing.
bool opens_at(std::string_view text, size_t at) {
    return at == 0 || !is_letter_or_digit(text[at - 1]);
}
bool closes_at(std::string_view text, size_t at, size_t length) {
    return at + length >= text.size() || !is_letter_or_digit(text[at + length]);
}

}  // namespace

std::set<int64_t> numbers_in(const std::string& text) {
    const std::vector<Word> words = words_of(text);
    std::set<int64_t> numbers;
    for (size_t i = 0; i < words.size();) {
        std::string phrase = words[i].text;
        std::optional<int64_t> longest = number_of(phrase);
        size_t used = 1;
        for (size_t n = 1; n < kLongestNumber && i + n < words.size() && !words[i + n - 1].ends; ++n) {
            phrase += " " + words[i + n].text;
            if (const auto number = number_of(phrase)) {
                longest = number;
                used = n + 1;
            }
        }
        if (longest)
            numbers.insert(*longest);
        else
            add_parts(words[i].text, numbers);
        i += used;
    }
    return numbers;
}

std::set<std::string> quoted_in(const std::string& text) {
    static constexpr std::array<std::pair<std::string_view, std::string_view>, 5> kMarks = {
        {{"'", "'"}, {"\"", "\""}, {"`", "`"}, {"\u2018", "\u2019"}, {"\u201c", "\u201d"}}};
    std::set<std::string> quoted;
    for (size_t at = 0; at < text.size();) {
        size_t next = at + 1;
        for (const auto& [open, close] : kMarks) {
            if (text.compare(at, open.size(), open) != 0 || !opens_at(text, at)) continue;
            const size_t begin = at + open.size();
            size_t end = text.find(close, begin);
            while (end != std::string::npos && !closes_at(text, end, close.size())) end = text.find(close, end + 1);
            if (end == std::string::npos) break;
            std::string inner = text.substr(begin, end - begin);
            if (inner.size() > 1 && std::string_view(".,;:!?").find(inner.back()) != std::string_view::npos)
                inner.pop_back();
            if (!inner.empty()) quoted.insert(std::move(inner));
            next = end + close.size();
            break;
        }
        at = next;
    }
    return quoted;
}

}  // namespace craft
