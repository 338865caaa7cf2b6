// Capitals that are missing, or stand where there is none.
#include <cctype>

#include "gec/learner/error_kinds.h"
#include "text/utf8.h"

namespace craft {

LearnerErrors capital_errors(const CorrectSentence& sentence, const LearnerLanguage&) {
    LearnerErrors found;
    for (size_t i = 0; i < sentence.size(); ++i) {
        const EnglishToken& token = sentence[i];
        if (i == 0) {
            // instead_of() would keep the capital.
            LearnerError small = sentence.instead_of(0, "");
            small.written = token.lower;
            if (token.text != token.lower && token.text != "I" && token.entity_place == 'O')
                found.push_back(std::move(small).weighing(.3));
            continue;
        }
        if (token.text == "I" && token.tag == "PRP") found.push_back(sentence.instead_of(i, "i").weighing(2));
        const bool is_name = is_one_of(token.entity, {"PERSON", "GPE", "NORP", "LANGUAGE"}) ||
                             listed_words("capitalised_words").contains(token.lower);
        const bool has_capital = std::isupper(static_cast<unsigned char>(token.text[0])) != 0 && token.lower.size() > 2 &&
                                 token.text.substr(1) == token.lower.substr(1);
        if (is_name && has_capital && sentence[i - 1].space_after) found.push_back(sentence.instead_of(i, token.lower));
        if (token.tag == "NN" && token.text == token.lower && sentence.is_whole_word(i) && sentence[i - 1].pos != "PUNCT")
            found.push_back(sentence.instead_of(i, uppercase_first(token.lower)).weighing(.04));
    }
    return found;
}

}  // namespace craft
