// The words that rules of correction know by name (share/gec/correction_words.json, written for this project): which are
// taken for each other, which prepositions verbs ask for.
#pragma once

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace craft {

using KnownWords = std::set<std::string, std::less<>>;
using WordChoices = std::map<std::string, std::vector<std::string>, std::less<>>;

// All in small letters, phrases with one blank between words.
struct CorrectionWords {
    WordChoices confused;          // a word or phrase, and what may have been meant; both ways for sets
    WordChoices misspelled;        // what is no word, and the words that it stands for
    KnownWords surely_misspelled;  // those of them that are never right
    WordChoices wrong_phrases;     // phrases that are seldom right
    KnownWords plural_determiners, strictly_plural_determiners, singular_determiners;
    WordChoices prepositions;        // each with those that learners take it for
    WordChoices wanted_preposition;  // of verbs, adjectives and nouns (lemmas)
    WordChoices no_preposition;      // of verbs that take an object without one
    // Lemmas that may ask for -ing, and for "to", beside those of share/english; those that ask for neither.
    KnownWords may_take_gerund, may_take_infinitive, bare_verbs;
    KnownWords past_adverbs, present_adverbs;
    KnownWords introductory;  // a comma may follow at the beginning of a sentence

    // Throws Error naming the file and the key that is missing, unknown or of another type.
    static CorrectionWords load(const std::filesystem::path& file);
    static CorrectionWords shipped();
};

// What stands under a word; none if it is not there.
const std::vector<std::string>& choices_of(const WordChoices& choices, std::string_view word);

}  // namespace craft
