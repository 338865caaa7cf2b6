// The kinds of errors that learners of English make. Of each: where in a correct sentence it can be made so that the
// sentence is wrong, and what stands there then.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "gec/learner/correct_sentence.h"
#include "gec/learner/learner_language.h"

namespace craft {

using LearnerErrors = std::vector<LearnerError>;

// One file each, of that name. They leave a place out where the sentence may be right with the error in it.
LearnerErrors article_errors(const CorrectSentence&, const LearnerLanguage&);         // left out, put in, the wrong one
LearnerErrors preposition_errors(const CorrectSentence&, const LearnerLanguage&);     // likewise
LearnerErrors punctuation_errors(const CorrectSentence&, const LearnerLanguage&);     // commas and final marks
LearnerErrors apostrophe_errors(const CorrectSentence&, const LearnerLanguage&);      // "dont", "the dogs tail"
LearnerErrors agreement_errors(const CorrectSentence&, const LearnerLanguage&);       // "he go"
LearnerErrors tense_errors(const CorrectSentence&, const LearnerLanguage&);           // "yesterday he goes"
LearnerErrors verb_form_errors(const CorrectSentence&, const LearnerLanguage&);       // "can goes", "want go", "enjoy to go"
LearnerErrors noun_number_errors(const CorrectSentence&, const LearnerLanguage&);     // "two dog", "informations"
LearnerErrors spelling_errors(const CorrectSentence&, const LearnerLanguage&);        // what is no word
LearnerErrors confusion_errors(const CorrectSentence&, const LearnerLanguage&);       // "there house"
LearnerErrors capital_errors(const CorrectSentence&, const LearnerLanguage&);         // "i", "london"
LearnerErrors word_order_errors(const CorrectSentence&, const LearnerLanguage&);      // "a car red"
LearnerErrors doubled_word_errors(const CorrectSentence&, const LearnerLanguage&);    // "the the"
LearnerErrors missing_word_errors(const CorrectSentence&, const LearnerLanguage&);    // "he happy"
LearnerErrors redundant_word_errors(const CorrectSentence&, const LearnerLanguage&);  // "the dog it barks", "more better"
LearnerErrors joined_word_errors(const CorrectSentence&, const LearnerLanguage&);     // "alot", "every one"
LearnerErrors word_form_errors(const CorrectSentence&, const LearnerLanguage&);       // "a seriously problem"

struct LearnerErrorKind {
    std::string name;  // "article"
    // How often it is drawn, beside the others: set so that the errors made of the texts that ship come near the shares that
    // corrections of learners' texts have (docs/gec-data.md), since not every sentence has a place for every kind.
    double share = 1;
    LearnerErrors (*find)(const CorrectSentence&, const LearnerLanguage&) = nullptr;
};

const std::vector<LearnerErrorKind>& learner_error_kinds();

}  // namespace craft
