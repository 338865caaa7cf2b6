#include "english/indefinite_article.h"

#include <algorithm>
#include <cstdint>

#include "english/first_sound.h"
#include "text/utf8.h"

namespace craft {

std::string_view indefinite_article(std::string_view next) {
    const FirstSound sound = first_sound(next);
    return sound == FirstSound::vowel || sound == FirstSound::rather_vowel ? "an" : "a";
}

bool may_stand_before(std::string_view article, std::string_view next) {
    const FirstSound sound = first_sound(next);
    return sound != (article.size() == 1 ? FirstSound::vowel : FirstSound::consonant);
}

std::string article_before(const std::string& word, std::string_view next) {
    const std::string lower = lowercase(word);
    if ((lower != "a" && lower != "an") || may_stand_before(lower, next)) return word;
    const std::string right(indefinite_article(next));
    return word[0] == 'A' ? uppercase_first(right) : right;
}

}  // namespace craft
