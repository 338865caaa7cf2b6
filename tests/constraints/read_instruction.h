// The shipped wordings, and an instruction in words read back to its values, as a person would.
#pragma once

#include <map>
#include <optional>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "constraints/wordings.h"
#include "text/numbers.h"
#include "text/utf8.h"

namespace craft {

inline const std::filesystem::path kWordingsFile =
    std::filesystem::path(CRAFT_TEST_SOURCE) / "share" / "wordings" / "constraints.json";

inline const Wordings& shipped() {
    static const Wordings wordings = Wordings::load(kWordingsFile);
    return wordings;
}

inline std::vector<Shape> all_shapes() {
    std::vector<Shape> shapes;
    for (int i = 0; i < kShapes; ++i) shapes.push_back(static_cast<Shape>(i));
    return shapes;
}

inline size_t ids_of(Shape shape) {
    return sub_type(shape) <= SubType::modify_sentence ? static_cast<size_t>(shape) % 3 + 1 : 0;
}
inline bool has_keyword(Shape shape) {
    return sub_type(shape) >= SubType::keyword_keep;
}
inline bool has_count(Shape shape) {
    return ids_of(shape) == 0 && sub_type(shape) != SubType::keyword_keep && sub_type(shape) != SubType::keyword_remove;
}

// Numbers as digits: "fewer than forty-two" -> "fewer than 42", "twice" -> "2 times".
inline std::string in_digits(const std::string& text) {
    static const std::regex number = [] {
        std::string words;
        for (int64_t value = 140; value >= 0; --value) words += (words.empty() ? "" : "|") + number_words(value);
        return std::regex("\\b(" + words + ")\\b(?!-)");
    }();
    std::string out = std::regex_replace(std::regex_replace(lowercase(text), std::regex("\\bonce\\b"), "1 times"),
                                         std::regex("\\btwice\\b"), "2 times");
    for (std::smatch found; std::regex_search(out, found, number);)
        out = found.prefix().str() + std::to_string(*parse_number(found.str())) + found.suffix().str();
    return out;
}

struct Reading {
    std::optional<int64_t> more_than, less_than, exactly;
};

// Takes the number that follows `phrase` out of the text.
inline std::optional<int64_t> take_number(std::string& text, const std::string& phrase) {
    static std::map<std::string, std::regex> compiled;
    std::smatch found;
    if (!std::regex_search(text, found, compiled.try_emplace(phrase, phrase).first->second)) return std::nullopt;
    const int64_t value = std::stoll(found[1].str());
    text = found.prefix().str() + " # " + found.suffix().str();
    return value;
}

// Weak bounds first: "no fewer than" holds "fewer than", and "do not exceed" holds "exceed".
inline Reading read_counts(const std::string& instruction) {
    std::string text = in_digits(instruction);
    Reading reading;
    if (const auto least = take_number(text, "between (\\d+)")) {
        reading.more_than = *least - 1;
        reading.less_than = *take_number(text, "and (\\d+)[^#]*both included") + 1;
    }
    if (const auto n = take_number(text, "(\\d+)( times)?, no more and no (?:less|fewer)")) {
        reading.exactly = n;
        return reading;
    }
    for (const char* phrase :
         {"(?:at least|no fewer than|a minimum of) (\\d+)", "(\\d+) times or more",
          "no sentence (?:may|should) have (?:fewer|less) than (\\d+)", "no sentence is shorter than (\\d+)"})
        if (const auto n = take_number(text, phrase)) reading.more_than = *n - 1;
    for (const char* phrase :
         {"(?:at most|no more than|a maximum of|up to) (\\d+)", "do not (?:exceed|go over|use more than) (\\d+)",
          "do not (?:use|mention|write) the (?:word|term) \\S+ more than (\\d+)",
          "no sentence (?:may|should) have (?:more than|over) (\\d+)", "no sentence is longer than (\\d+)"})
        if (const auto n = take_number(text, phrase)) reading.less_than = *n + 1;
    if (const auto n =
            take_number(text, "(?:more than|over|upwards of|above|beyond|exceeds|exceeding|(?:longer|higher) than) (\\d+)"))
        reading.more_than = n;
    if (const auto n = take_number(text, "(?:less than|fewer than|under|below|(?:shorter|lower) than) (\\d+)"))
        reading.less_than = n;
    if (const auto n = take_number(text, "(\\d+)")) reading.exactly = n;
    return reading;
}

inline Reading meant_by(const Constraint& c) {
    switch (c.shape) {
        case Shape::words_range:
            return {c.m, c.n, {}};
        case Shape::words_more:
        case Shape::sentences_more:
        case Shape::length_more:
        case Shape::frequency_at_least:
            return {c.n, {}, {}};
        case Shape::sentences_exactly:
        case Shape::frequency_exactly:
            return {{}, {}, c.n};
        default:
            return {{}, c.n, {}};
    }
}

inline std::set<int64_t> read_ids(const std::string& instruction) {
    std::set<int64_t> ids;
    std::string text = lowercase(instruction);
    for (int64_t value = 99; value > 0; --value)
        for (const std::string& form : {ordinal_words(value), ordinal_digits(value), std::to_string(value)})
            for (size_t at = text.find(form); at != std::string::npos; at = text.find(form)) {
                ids.insert(value);
                text.replace(at, form.size(), "#");
            }
    return ids;
}

}  // namespace craft
