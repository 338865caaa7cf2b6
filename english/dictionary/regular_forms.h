// Inflection by rule: what English does with a word that is in no table ("blog": "blogged", "blogging", "blogs").
#pragma once

#include <string>
#include <string_view>

namespace craft {

// The form of a lemma of one word in small letters. `tag`: NNS, VBD, VBN, VBG, VBZ, JJR, JJS, RBR or RBS of the Penn
// Treebank; any other one gives the lemma. A last consonant is doubled in words of one syllable alone, since elsewhere it
// goes by the stress, which spelling does not show, and after a hyphen as in the word that stands there ("ad-libbed");
// comparatives of more than one syllable, but for two that end in y, have
// "more".
std::string regular_form(const std::string& lemma, std::string_view tag);

}  // namespace craft
