// Texts out of a small vocabulary, and a reviser that knows no English: what the tests of the generator draw values from.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "core/rng.h"
#include "data/constraints/generator.h"
#include "text/sentences.h"
#include "text/utf8.h"
#include "text/words.h"

namespace craft {

inline const std::vector<std::string>& toy_words() {
    static const std::vector<std::string> words = {
        "river",   "bridge",  "garden",    "window",  "letter",  "orange",  "market",  "winter",  "silver",    "kitchen",
        "morning", "village", "teacher",   "painter", "captain", "station", "blanket", "lantern", "thunder",   "harvest",
        "carries", "watches", "remembers", "follows", "crosses", "gathers", "repairs", "quietly", "slowly",    "gladly",
        "under",   "behind",  "beside",    "after",   "the",     "and",     "with",    "that",    "well-worn", "seldom"};
    return words;
}

inline std::string toy_sentence(size_t words, Rng& rng) {
    std::string out;
    for (size_t i = 0; i < words; ++i) out += (i == 0 ? "" : " ") + rng.pick(toy_words());
    return uppercase_first(out) + ".";
}

inline std::vector<SourceText> toy_texts(size_t count) {
    std::vector<SourceText> texts;
    for (size_t i = 0; i < count; ++i) {
        Rng rng(1, "toy texts", i);
        std::string text;
        for (size_t k = 0, sentences = 5 + rng.below(5); k < sentences; ++k)
            text += (k == 0 ? "" : " ") + toy_sentence(4 + rng.below(12), rng);
        texts.push_back({"t" + std::to_string(i), text, ""});
    }
    return texts;
}

// Keeps some sentences, changes, joins and splits others, drops or adds words, and swaps a word everywhere.
inline std::string toy_revision(const std::string& text, Rng& rng) {
    std::vector<std::string> sentences = split_sentences(text);
    const double grow = rng.uniform();
    for (size_t i = 0; i < sentences.size(); ++i) {
        if (rng.uniform() < 0.4) continue;
        std::vector<std::string> words = whitespace_words(bare_sentence(sentences[i]));
        const double kind = rng.uniform();
        if (kind < 0.15 && i + 1 < sentences.size()) {
            words.push_back("and " + bare_sentence(sentences[i + 1]));
            sentences.erase(sentences.begin() + static_cast<std::ptrdiff_t>(i) + 1);
        } else if (kind < 0.3 && words.size() > 5) {
            words[2] += ".";
            words[3] = uppercase_first(words[3]);
        } else if (rng.uniform() < grow) {
            for (size_t n = 1 + rng.below(4); n > 0; --n) words.push_back(rng.pick(toy_words()));
        } else if (words.size() > 4) {
            words.resize(words.size() - 1 - rng.below(3));
        }
        sentences[i].clear();
        for (const auto& word : words) sentences[i] += (sentences[i].empty() ? "" : " ") + word;
        sentences[i] += ".";
    }
    std::string out;
    for (const auto& sentence : sentences) out += (out.empty() ? "" : " ") + sentence;
    const std::string from = rng.pick(toy_words()), to = rng.pick(toy_words());
    for (size_t at = out.find(" " + from); at != std::string::npos; at = out.find(" " + from, at + to.size() + 1))
        out.replace(at + 1, from.size(), to);
    return out;
}

}  // namespace craft
