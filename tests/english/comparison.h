// Holds documents against lines that tests/parity/make_english.py wrote, and counts what is equal.
#pragma once

#include <array>
#include <cstdint>
#include <fstream>
#include <string>
#include <vector>

#include "core/json.h"
#include "english/pipeline.h"

namespace craft::test {

// In the order of the fields of a line's tokens.
constexpr std::array<const char*, 13> kEnglishFields = {
    "text", "idx", "whitespace", "norm", "lemma", "tag", "pos", "morph", "dep", "head", "sentence_start", "entity", "iob"};

struct EnglishComparison {
    int64_t texts = 0, tokens = 0;
    int64_t other_tokens = 0;  // texts that were cut into other tokens; the rest is not compared
    std::array<int64_t, kEnglishFields.size()> different{};  // tokens, by field
    std::vector<std::string> first;                          // a few differences in words
    int64_t all_different() const {
        int64_t sum = other_tokens;
        for (const int64_t count : different) sum += count;
        return sum;
    }
};

inline Json english_row(const EnglishToken& token) {
    return Json::array({token.text, token.code_point, token.space_after, token.norm, token.lemma, token.tag, token.pos,
                        token.morph, token.dep, token.head, token.sentence_start, token.entity,
                        std::string(1, token.entity_place)});
}

inline void compare_english(const EnglishPipeline& pipeline, const Json& line, EnglishComparison& result) {
    const bool raw = !line.contains("words") || line["words"].is_null();
    const EnglishDocument document = raw ? pipeline.annotate(line["text"].get<std::string>())
                                         : pipeline.annotate_words(line["words"].get<std::vector<std::string>>());
    const Json& expected = line["tokens"];
    ++result.texts;
    result.tokens += static_cast<int64_t>(expected.size());
    bool same = document.size() == expected.size();
    for (size_t i = 0; same && i < document.size(); ++i) same = document[i].text == expected[i][0];
    const auto note = [&](const std::string& what) {
        if (result.first.size() < 40)
            result.first.push_back(what + " in: " + line["text"].get<std::string>().substr(0, 300));
    };
    if (!same) {
        ++result.other_tokens;
        std::string ours;
        for (const EnglishToken& token : document) ours += " [" + token.text + "]";
        note("other tokens" + ours.substr(0, 400));
        return;
    }
    for (size_t i = 0; i < document.size(); ++i) {
        const Json row = english_row(document[i]);
        for (size_t field = 0; field < kEnglishFields.size(); ++field) {
            if (row[field] == expected[i][field]) continue;
            ++result.different[field];
            note(std::string(raw ? "raw " : "split ") + kEnglishFields[field] + " of token " + std::to_string(i) + " '" +
                 document[i].text + "': expected " + dump_line(expected[i][field]) + ", got " + dump_line(row[field]));
        }
    }
}

inline EnglishComparison compare_english_file(const EnglishPipeline& pipeline, const std::filesystem::path& path) {
    EnglishComparison result;
    JsonLinesReader reader(path.string());
    while (const std::optional<Json> line = reader.next()) compare_english(pipeline, *line, result);
    return result;
}

}  // namespace craft::test
