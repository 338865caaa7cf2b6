// Which prepositions go with which words, and what learners write in their place.
#pragma once

#include <array>
#include <span>
#include <string_view>

namespace craft {

// A word that goes with one preposition, and what learners write in its place, "-" for none.
struct GovernedPreposition {
    std::string_view word;  // lemma
    std::string_view preposition;
    std::array<std::string_view, 3> written;
};
std::span<const GovernedPreposition> governed_prepositions();

// A noun that settles the preposition before it ("on average").
struct PrepositionPhrase {
    std::string_view preposition, noun;
    std::array<std::string_view, 2> written;
};
std::span<const PrepositionPhrase> preposition_phrases();

}  // namespace craft
