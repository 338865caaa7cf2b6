#include "gec/learner/error_kinds.h"

namespace craft {

const std::vector<LearnerErrorKind>& learner_error_kinds() {
    static const std::vector<LearnerErrorKind> kinds = {
        {"article", 8.5, article_errors},
        {"preposition", 20, preposition_errors},
        {"punctuation", 22, punctuation_errors},
        {"apostrophe", 3.5, apostrophe_errors},
        {"agreement", 8, agreement_errors},
        {"tense", 25, tense_errors},
        {"verb form", 7, verb_form_errors},
        {"noun number", 7, noun_number_errors},
        {"spelling", 3.5, spelling_errors},
        {"confusion", 3, confusion_errors},
        {"capital", 4.5, capital_errors},
        {"word order", 13, word_order_errors},
        {"doubled word", 0.8, doubled_word_errors},
        {"missing word", 11, missing_word_errors},
        {"redundant word", 4, redundant_word_errors},
        {"joined word", 10, joined_word_errors},
        {"word form", 4, word_form_errors},
    };
    return kinds;
}

}  // namespace craft
