// The shipped wordings, and numbers and ids in words read back, as a person would.
#pragma once

#include <map>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "core/json.h"
#include "data/constraints/wordings.h"
#include "tests/core/temporary_folder.h"
#include "tests/source.h"
#include "text/numbers.h"
#include "text/utf8.h"

namespace craft {

inline const std::filesystem::path kWordingsFile =
    std::filesystem::path(test_source()) / "share" / "wordings" / "constraints.json";

inline const Wordings& shipped() {
    static const Wordings wordings = Wordings::load(kWordingsFile);
    return wordings;
}

// The shipped wordings with these chances, and 0 for all others.
inline Wordings shipped_with(const std::map<std::string, double>& chances) {
    Json document = read_json_file(kWordingsFile);
    for (auto& [name, chance] : document["chances"].items()) {
        const auto found = chances.find(name);
        chance = found == chances.end() ? 0.0 : found->second;
    }
    const TemporaryFolder folder;
    return Wordings::load(folder.file("wordings.json", document.dump()));
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

// Of "the 3rd and fifth sentences", "sentence 3", "sentences 3 to 5".
inline std::set<int64_t> read_ids(const std::string& instruction) {
    std::set<int64_t> ids;
    std::string text = lowercase(instruction);
    if (std::smatch row; std::regex_search(text, row, std::regex("sentences (\\d+) to (\\d+)")))
        for (int64_t id = std::stoll(row[1]); id < std::stoll(row[2]); ++id) ids.insert(id);
    for (int64_t value = 99; value > 0; --value)
        for (const std::string& form : {ordinal_words(value), ordinal_digits(value), std::to_string(value)})
            for (size_t at = text.find(form); at != std::string::npos; at = text.find(form)) {
                ids.insert(value);
                text.replace(at, form.size(), "#");
            }
    return ids;
}

}  // namespace craft
