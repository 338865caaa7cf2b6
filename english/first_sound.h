// What a text begins with when it is read aloud.
#pragma once

#include <string_view>

namespace craft {

// The sound of a vowel or of a consonant; "rather": readers differ, and more of them read it so.
enum class FirstSound { consonant, vowel, rather_consonant, rather_vowel };

// Of the first word of a text in its own case, by general rules and a short list of exceptions.
FirstSound first_sound(std::string_view text);

}  // namespace craft
