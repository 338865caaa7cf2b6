// How a sentence speaks again of a noun that an earlier one has named.
#pragma once

#include <optional>
#include <string>

#include "english/parsed_sentence.h"

namespace craft {

struct NounReference {
    std::string subject;     // "the nurse", "they", "Ilse Brandvoort"; in lower case but for names
    std::string object;      // "the nurse", "them"
    std::string possessive;  // "the nurse's", "their"
    GrammaticalNumber number = GrammaticalNumber::unknown;
};

// With `pronoun` a plural noun is "they"; without, it is named again ("these goats"), which is clear wherever it stood. One
// thing or person is always named again, since neither sex nor life can be read off a noun. Absent where nothing can stand
// for it: quantified
// ("no ship", "each of them"), joined ("a boat and an oar" as one), a number, a pronoun that is none of persons.
std::optional<NounReference> refer_to(const ParsedSentence& sentence, size_t noun, bool pronoun);

// The words of a noun's own phrase up to the noun that tell which one it is: "jewel thief" of "the notorious jewel thief".
std::string bare_noun(const ParsedSentence& sentence, size_t noun);

// In the form of subject, object and possessor ("it", "it", "its"); absent for words that are no personal pronouns.
std::optional<NounReference> personal_pronoun(const std::string& lower);

}  // namespace craft
