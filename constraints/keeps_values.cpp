// Whether a rewritten instruction still says what its constraints need.
#include <algorithm>
#include <set>

#include "constraints/wordings.h"
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

// The numbers of a text, in digits or in words, as counts or as ordinals, the longest reading first: "one hundred and five"
// is 105 and holds no 5.
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

bool starts_with_any(std::string_view text, const std::vector<std::string_view>& marks) {
    return std::any_of(marks.begin(), marks.end(), [&](std::string_view mark) { return text.starts_with(mark); });
}
bool ends_with_any(std::string_view text, const std::vector<std::string_view>& marks) {
    return std::any_of(marks.begin(), marks.end(), [&](std::string_view mark) { return text.ends_with(mark); });
}

// Takes every quoted occurrence of the keyword out of the text; false if there is none. Punctuation may stand before the
// closing mark.
bool take_quoted(std::string& text, const std::string& keyword) {
    static const std::vector<std::string_view> opening = {"'", "\"", "`", "\u2018", "\u201c"};
    static const std::vector<std::string_view> closing = {"'", "\"", "`", "\u2019", "\u201d"};
    bool found = false;
    for (size_t at = text.find(keyword); at != std::string::npos; at = text.find(keyword, at)) {
        std::string_view rest = std::string_view(text).substr(at + keyword.size());
        if (starts_with_any(rest, {".", ",", ";", ":", "!", "?"})) rest.remove_prefix(1);
        if (starts_with_any(rest, closing) && ends_with_any(std::string_view(text).substr(0, at), opening)) {
            text.erase(at, keyword.size());
            found = true;
        } else {
            at += keyword.size();
        }
    }
    return found;
}

}  // namespace

bool keeps_values(const std::string& rewritten, const std::string& original, const std::vector<Constraint>& constraints) {
    // Keywords are taken out before numbers are looked for: they may be numbers themselves.
    std::string text = rewritten, source = original;
    std::set<std::string> keywords;
    for (const Constraint& c : constraints) keywords.insert(c.keyword);
    keywords.erase("");
    for (const std::string& keyword : keywords) {
        if (!take_quoted(text, keyword)) return false;
        take_quoted(source, keyword);
    }
    const std::set<int64_t> said = numbers_in(text), meant = numbers_in(source);
    for (const Constraint& c : constraints) {
        // An id that the original does not say is that of a sentence named by its place.
        for (const int64_t id : c.ids)
            if (meant.contains(id) && !said.contains(id)) return false;
        const SubType type = sub_type(c.shape);
        if (!c.ids.empty() || type == SubType::keyword_keep || type == SubType::keyword_remove) continue;
        for (const int64_t bound : {c.n, c.shape == Shape::words_range ? c.m : c.n})
            // Which of N-1, N and N+1 the template wrote is read off the original.
            for (const int64_t number : {bound - 1, bound, bound + 1})
                if (meant.contains(number) && !said.contains(number)) return false;
    }
    return true;
}

}  // namespace craft
