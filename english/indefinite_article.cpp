#include "english/indefinite_article.h"

#include <algorithm>
#include <cstdint>

#include "english/first_sound.h"
#include "english/parsed_sentence.h"
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

bool stands_for_itself(const EnglishDocument& tokens, size_t at) {
    if (at + 1 >= tokens.size()) return true;
    const EnglishToken& next = tokens[at + 1];
    if (is_one_of(next.lower, {"is", "was", "has", "are", "were", "and", "or"})) return true;
    if (next.text == "-" && next.byte == tokens[at].byte + tokens[at].text.size()) return true;
    if (at == 0) return false;
    const EnglishToken& before = tokens[at - 1];
    const bool is_determined = is_one_of(before.lower, {"a", "an", "the", "this", "that", "my", "your", "his", "her", "its",
                                                        "our", "their", "no", "every", "each", "another"});
    if (tokens[at].text == "A") return is_determined || is_one_of(before.tag, {"NN", "NNP"});  // "vitamin A"
    return is_determined && is_one_of(next.tag, {"IN", "TO", ".", ",", ":", "CC"});
}

}  // namespace craft
