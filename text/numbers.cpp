#include "text/numbers.h"

#include <array>
#include <charconv>
#include <vector>

#include "core/error.h"
#include "text/utf8.h"

namespace craft {

namespace {

using Names = std::array<std::string_view, 20>;
using TensNames = std::array<std::string_view, 10>;

constexpr Names kUnits{"zero",     "one",     "two",     "three",     "four",     "five",    "six",
                       "seven",    "eight",   "nine",    "ten",       "eleven",   "twelve",  "thirteen",
                       "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"};
constexpr Names kOrdinalUnits{"zeroth",     "first",     "second",    "third",       "fourth",     "fifth",     "sixth",
                              "seventh",    "eighth",    "ninth",     "tenth",       "eleventh",   "twelfth",   "thirteenth",
                              "fourteenth", "fifteenth", "sixteenth", "seventeenth", "eighteenth", "nineteenth"};
constexpr TensNames kTens{"", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"};
constexpr TensNames kOrdinalTens{"",         "",         "twentieth",  "thirtieth", "fortieth",
                                 "fiftieth", "sixtieth", "seventieth", "eightieth", "ninetieth"};
constexpr int64_t kWordsEnd = 1'000'000;

void require_range(int64_t value, int64_t end, const std::string& where) {
    if (value >= 0 && value < end) return;
    throw Error(where, "a number from 0 to " + std::to_string(end - 1), std::to_string(value));
}

std::string below_hundred(int64_t value) {
    const auto v = static_cast<size_t>(value);
    if (v < 20) return std::string(kUnits[v]);
    return std::string(kTens[v / 10]) + (v % 10 == 0 ? "" : "-" + std::string(kUnits[v % 10]));
}

std::string below_thousand(int64_t value) {
    if (value < 100) return below_hundred(value);
    return below_hundred(value / 100) + " hundred" + (value % 100 == 0 ? "" : " and " + below_hundred(value % 100));
}

// The number under twenty, or the multiple of ten, that a word names.
std::optional<int64_t> named(std::string_view word, const Names& units, const TensNames& tens) {
    for (size_t i = 0; i < units.size(); ++i) {
        if (units[i] == word) return static_cast<int64_t>(i);
    }
    for (size_t i = 2; i < tens.size(); ++i) {
        if (tens[i] == word) return static_cast<int64_t>(10 * i);
    }
    return std::nullopt;
}

std::vector<std::string> lower_words(std::string_view text) {
    std::vector<std::string> words(1);
    for (char c : lowercase(trim_view(text))) {
        if (c != ' ' && c != '-') {
            words.back().push_back(c);
        } else if (!words.back().empty()) {
            words.emplace_back();
        }
    }
    return words;
}

// Reads number words from left to right; every part may stand once, in falling size.
class WordsReader {
public:
    explicit WordsReader(const std::vector<std::string>& words) : words_(words) {}

    std::optional<int64_t> read() {
        auto value = up_to_hundreds();
        if (!value) return std::nullopt;
        if (*value > 0 && *value < 1000 && take("thousand")) {
            *value *= 1000;
            if (!done()) {
                take("and");
                const auto rest = up_to_hundreds();
                if (!rest || *rest == 0 || *rest >= 1000) return std::nullopt;
                *value += *rest;
            }
        }
        return done() ? value : std::nullopt;
    }

private:
    bool done() const { return at_ == words_.size(); }
    bool take(std::string_view word) {
        if (done() || words_[at_] != word) return false;
        ++at_;
        return true;
    }
    std::optional<int64_t> up_to_hundreds() {
        const bool article =
            at_ + 1 < words_.size() && (words_[at_ + 1] == "hundred" || words_[at_ + 1] == "thousand") && take("a");
        std::optional<int64_t> value = article ? 1 : tens_and_units();
        if (!value || *value == 0 || !take("hundred")) return value;
        *value *= 100;
        if (done() || words_[at_] == "thousand") return value;
        take("and");
        const auto rest = tens_and_units();
        if (!rest || *rest == 0) return std::nullopt;
        return *value + *rest;
    }
    std::optional<int64_t> tens_and_units() {
        if (done()) return std::nullopt;
        auto value = named(words_[at_], kUnits, kTens);
        if (!value) return std::nullopt;
        ++at_;
        if (*value < 20 || done()) return value;
        const auto unit = named(words_[at_], kUnits, kTens);
        if (unit && *unit > 0 && *unit < 10) {
            ++at_;
            *value += *unit;
        }
        return value;
    }

    const std::vector<std::string>& words_;
    size_t at_ = 0;
};

// Digits with or without commas between groups of three.
std::optional<int64_t> parse_digits(std::string_view text) {
    const size_t comma = text.find(',');
    if (text.empty() || comma == 0 || comma > 3) {
        if (comma != std::string_view::npos || text.empty()) return std::nullopt;
    }
    std::string digits;
    for (size_t i = 0; i < text.size(); ++i) {
        const bool comma_due = comma != std::string_view::npos && i >= comma && (i - comma) % 4 == 0;
        if (comma_due != (text[i] == ',')) return std::nullopt;
        if (!comma_due) digits.push_back(text[i]);
    }
    if (comma != std::string_view::npos && (text.size() - comma) % 4 != 0) return std::nullopt;
    int64_t value = 0;
    const auto [end, problem] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (problem != std::errc() || end != digits.data() + digits.size() || digits.front() == '-') return std::nullopt;
    return value;
}

// "third" -> "three": the last word of an ordinal as a cardinal.
std::string cardinal_word(const std::string& ordinal) {
    const auto value = named(ordinal, kOrdinalUnits, kOrdinalTens);
    if (value) return below_hundred(*value);
    if (ordinal == "hundredth" || ordinal == "thousandth") return ordinal.substr(0, ordinal.size() - 2);
    return "";
}

}  // namespace

std::string number_words(int64_t value) {
    require_range(value, kWordsEnd, "number_words");
    if (value < 1000) return below_thousand(value);
    const int64_t rest = value % 1000;
    return below_thousand(value / 1000) + " thousand" +
           (rest == 0 ? "" : (rest < 100 ? " and " : " ") + below_thousand(rest));
}

std::string ordinal_digits(int64_t value) {
    require_range(value, INT64_MAX, "ordinal_digits");
    const int64_t tens = value % 100, units = value % 10;
    const bool teen = tens >= 11 && tens <= 13;
    return std::to_string(value) + (teen ? "th" : units == 1 ? "st" : units == 2 ? "nd" : units == 3 ? "rd" : "th");
}

std::string ordinal_words(int64_t value) {
    require_range(value, kWordsEnd, "ordinal_words");
    std::string words = number_words(value);
    const size_t at = words.find_last_of(" -") + 1;  // 0 where there is one word
    const std::string last = words.substr(at);
    const auto number = named(last, kUnits, kTens);
    if (!number) return words + "th";  // hundred, thousand
    const auto v = static_cast<size_t>(*number);
    return words.substr(0, at) + std::string(v < 20 ? kOrdinalUnits[v] : kOrdinalTens[v / 10]);
}

std::optional<int64_t> parse_number(std::string_view text) {
    text = trim_view(text);
    if (!text.empty() && text[0] >= '0' && text[0] <= '9') return parse_digits(text);
    return WordsReader(lower_words(text)).read();
}

std::optional<int64_t> parse_ordinal(std::string_view text) {
    text = trim_view(text);
    if (text.empty()) return std::nullopt;
    if (text[0] >= '0' && text[0] <= '9') {
        if (text.size() < 3) return std::nullopt;
        const std::string suffix = lowercase(text.substr(text.size() - 2));
        if (suffix != "st" && suffix != "nd" && suffix != "rd" && suffix != "th") return std::nullopt;
        return parse_digits(text.substr(0, text.size() - 2));
    }
    auto words = lower_words(text);
    const std::string last = cardinal_word(words.back());
    if (last.empty()) return std::nullopt;
    words.back() = last;
    if (words.size() == 1 && (last == "hundred" || last == "thousand")) words.insert(words.begin(), "one");
    return WordsReader(words).read();
}

}  // namespace craft
