// Plain words for formal ones, from a list written by hand: what a dictionary of synonyms knows least of.
#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "english/dictionary/synonyms.h"

namespace craft {

class PlainWords {
public:
    // Lines "HARD KIND: PLAIN", KIND one of n v a r (the lemma of a noun, verb, adjective, adverb) and p (words that stand
    // as they are); lines with # and empty ones say nothing. Throws Error naming file and line of another form, of a word
    // that occurs twice, and of one that stands for itself.
    static PlainWords load(const std::filesystem::path& file);
    static PlainWords parse(std::string_view text, const std::string& where);
    // share/english/plain_words.txt.
    static PlainWords shipped();

    // The plain lemma, in which blanks may be; absent: the list has none.
    std::optional<std::string> of_word(std::string_view lemma, WordKind kind) const;

    struct Phrase {
        std::string plain;
        size_t words = 1;  // that it takes the place of
    };
    // For the longest phrase of the list that these words begin with. Words are in lower case.
    std::optional<Phrase> of_phrase(const std::vector<std::string>& words) const;
    size_t longest_phrase() const { return longest_phrase_; }  // in words
    size_t size() const { return words_.size() + phrases_.size(); }

    const std::map<std::pair<std::string, WordKind>, std::string>& words() const { return words_; }

private:
    void add(std::string_view line, const std::string& where);

    std::map<std::pair<std::string, WordKind>, std::string> words_;
    std::map<std::string, std::string, std::less<>> phrases_;
    size_t longest_phrase_ = 0;
};

}  // namespace craft
