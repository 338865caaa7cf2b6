// Names of a text's sentences other than their numbers: by where they stand, how long they are, what they say.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace craft {

enum class Place {
    // Said by an adjective: "the ... sentence".
    first,
    last,
    next_to_last,
    middle,
    longest,   // by two words and in characters
    shortest,  // likewise
    // Said by a noun of its own: "the sentence that begins with ...".
    begins,    // with words that no other sentence begins with
    ends,      // with words that no other sentence ends with
    says,      // a word that occurs nowhere else
    question,  // the only one
    after,     // another sentence
    before,    // another sentence
    // Several sentences at once: "the ... sentences".
    first_few,
    last_few,
};
inline constexpr int kPlaces = 14;

inline bool is_adjective(Place place) {
    return place < Place::begins;
}

struct SentenceName {
    Place place = Place::first;
    std::string quote;   // begins, ends, says: the words
    int64_t number = 0;  // after, before: the id of the other sentence; first_few, last_few: how many
};

// What can be said of this sentence and of no other of the text; empty where `sentences` does not have it. Ids are from 1.
std::vector<SentenceName> names_of(int64_t id, const std::vector<std::string>& sentences);
// The names that two or more sentences have together: the first few of the text, or the last few.
std::vector<SentenceName> names_of(const std::vector<int64_t>& ids, const std::vector<std::string>& sentences);

}  // namespace craft
