// What the tests of retrieval share: a small database, and an encoder without a model.
#pragma once

#include <cmath>

#include "core/files.h"
#include "gec/retrieval/retrieval_writer.h"
#include "text/utf8.h"

namespace craft::test {

// Counts of letters, brought to length 1.
inline SentenceEncoder letter_encoder(const std::string& name = "letters 1") {
    return {name, [](const std::vector<std::string>& texts) {
                std::vector<std::vector<float>> vectors;
                for (const std::string& text : texts) {
                    std::vector<float> counts(26);
                    float square = 0;
                    for (const char c : lowercase(text))
                        if (c >= 'a' && c <= 'z') ++counts[static_cast<size_t>(c - 'a')];
                    for (const float count : counts) square += count * count;
                    for (float& count : counts) count /= std::max(1.0F, std::sqrt(square));
                    vectors.push_back(counts);
                }
                return vectors;
            }};
}

inline GrammarEntry entry(const std::string& knowledge, EditOperation modification, const std::string& from,
                          const std::string& to, const std::string& pattern, std::vector<std::string> keys) {
    return {knowledge, "What holds of " + knowledge + ".", modification, from, to, pattern, "R:X", std::move(keys)};
}

// Four pairs, of which the last one is a correct sentence.
inline const std::vector<SentencePair>& example_pairs() {
    static const std::vector<SentencePair> kPairs = {
        {"a", "She depends of her brother.", "She depends on her brother.", {}},
        {"b", "He bought bicycle in May.", "He bought a bicycle in May.", {}},
        {"c", "They arrived to London late.", "They arrived in London late.", {}},
        {"d", "The bus leaves at seven.", "The bus leaves at seven.", {}}};
    return kPairs;
}

inline std::vector<IndexedPair> example_entries(const SentenceEncoder& encoder) {
    const std::vector<SentencePair>& pairs = example_pairs();
    std::vector<IndexedPair> indexed = {
        {&pairs[0],
         {entry("wrong preposition", EditOperation::transform, "of", "on", "depend [of → on] PRON", {"depends of"})}},
        {&pairs[1], {entry("missing article", EditOperation::insert, "", "a", "buy [→ a] NOUN", {"bought bicycle"})}},
        {&pairs[2],
         {entry("wrong preposition", EditOperation::transform, "to", "in", "arrive [to → in] PROPN", {"arrived to"})}},
        {&pairs[3]}};
    for (IndexedPair& one : indexed)
        if (encoder) one.vector = encoder.encode({one.pair->source}).at(0);
    return indexed;
}

// Makes the database of these pairs; returns its path.
inline std::filesystem::path make_examples(const std::filesystem::path& file, const SentenceEncoder& encoder = {}) {
    RetrievalWriter(file, encoder).add(example_entries(encoder));
    return file;
}

}  // namespace craft::test
