// Pairs of sentences with spaCy's annotations and ERRANT's edits, as tests/parity/make_edits.py writes them.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "core/json.h"
#include "metrics/edits/edit_extraction.h"

namespace craft::test {

struct ErrantPair {
    AnnotatedTokens source, target;
    std::set<std::string> unknown_words;
    std::vector<TypedEdit> edits;

    EditLanguage language() const {
        EditLanguage language;
        language.annotate = [](const std::vector<std::string>&) {
            return AnnotatedTokens{};
        };  // it is there: types are wanted
        language.known_word = [this](const std::string& word) { return !unknown_words.contains(word); };
        return language;
    }
};

inline AnnotatedTokens annotated_tokens(const Json& rows) {
    AnnotatedTokens tokens;
    for (const Json& row : rows) tokens.push_back({row[0], row[1], row[2], row[3], row[4], row[5], row[6]});
    return tokens;
}

inline std::vector<ErrantPair> read_errant_pairs(const std::string& path) {
    std::vector<ErrantPair> pairs;
    JsonLinesReader reader(path);
    while (const auto row = reader.next()) {
        ErrantPair pair;
        pair.source = annotated_tokens(row->at("source"));
        pair.target = annotated_tokens(row->at("target"));
        for (const Json& word : row->at("unknown")) {
            pair.unknown_words.insert(word.get<std::string>());
            for (const AnnotatedToken& token : pair.source) {
                if (token.text == word) pair.unknown_words.insert(token.lower);
            }
        }
        for (const Json& edit : row->at("edits")) pair.edits.push_back({edit[0], edit[1], edit[2], edit[3], edit[4]});
        pairs.push_back(std::move(pair));
    }
    return pairs;
}

// "1-2>1-3 R:VERB" for each edit.
inline std::string edits_text(const std::vector<TypedEdit>& edits) {
    std::string text;
    for (const TypedEdit& e : edits) {
        text += std::to_string(e.source_start) + "-" + std::to_string(e.source_end) + ">" + std::to_string(e.target_start) +
                "-" + std::to_string(e.target_end) + " " + e.type + "; ";
    }
    return text;
}

}  // namespace craft::test
