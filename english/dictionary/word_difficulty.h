// How hard English words are for a reader, by two sources of unlike kind: the size classes of Debian's scowl, which people
// made of dictionaries and lists, and counts of words in texts.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

namespace craft {

class WordDifficulty {
public:
    virtual ~WordDifficulty() = default;
    virtual std::string name() const = 0;  // "scowl", "counts"
    // 0: everybody knows it, to 1: hardly anybody. `word` is a form in any case; one that the source does not have, such as
    // most numbers and names, is 1. What consists of several words (blanks, hyphens) and is not there itself is as hard as
    // the hardest of them; a possessive ('s) is its noun. May be called by several threads at once.
    virtual double of(std::string_view word) const = 0;
    // Of an inflected form: its own difficulty or, where the source lacks the form, that of its lemma.
    double of_form(std::string_view form, std::string_view lemma) const;
};

// The smallest size class (10, 20, 35, 40, 50, 55, 60, 70, 80, 95) that has the word, divided by 100, of the lists
// <variety>-words and <variety>-contractions of common English, American and British (both spellings), and of
// <variety>-upper (months, languages, peoples) to class 40, since larger ones hold names of persons and places. Reads UTF-8,
// and Latin-1 as SCOWL itself has it. Throws Error naming the folder if it is missing or has no list, or a list that cannot
// be read.
std::unique_ptr<WordDifficulty> scowl_difficulty(const std::filesystem::path& folder);

// (7 - z) / 6, held to 0 and 0.99, where z is the word's count on the Zipf scale (the decimal logarithm of how often it is
// met in 10^9 words): "the" and "of" are 0, one in a million words is 0.67, one in a hundred millions 1. `file` is a
// frequency list of wordfreq's, msgpack in its form "cB", as scripts/setup.sh --english leaves it in weights/wordfreq.
// Throws Error naming the file if it is missing or no such list.
std::unique_ptr<WordDifficulty> count_difficulty(const std::filesystem::path& file);
// The same of a list in memory, packed by gzip or not; `where` stands for the file.
std::unique_ptr<WordDifficulty> count_difficulty_of(std::string_view bytes, const std::string& where);

}  // namespace craft
