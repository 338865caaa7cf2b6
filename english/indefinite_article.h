// "a" or "an".
#pragma once

#include <string>
#include <string_view>

namespace craft {

// Whether a word begins with the sound of a vowel, by its letters: "hour" and "egg" do, "use" and "one" do not.
bool begins_with_vowel(std::string_view word);
// `word` as it is, or, if it is "a" or "an" in any case, the one of the two that goes before `next`, in the same case.
std::string article_before(const std::string& word, std::string_view next);

}  // namespace craft
