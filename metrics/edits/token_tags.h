// Parts of speech as the names of error types have them.
#pragma once

#include <string>
#include <string_view>

namespace craft {

// Of a tag of the Penn Treebank, by the table of Universal Dependencies (en-penn) with ERRANT's names: PREP, CONJ, and NOUN
// for names too. Throws Error on another tag.
std::string_view part_of_tag(const std::string& tag);
// What some labels of dependencies say of the part of speech; empty of the others.
std::string_view part_of_dependency(std::string_view label);
// Those that say little of an error.
bool is_rare_part(std::string_view part);
// Those of which inflected forms exist.
bool is_open_part(std::string_view part);

}  // namespace craft
