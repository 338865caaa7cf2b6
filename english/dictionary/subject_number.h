// Which number the verb of a subject has.
#pragma once

#include "english/parsed_sentence.h"

namespace craft {

// Of a noun or pronoun with what is joined to it; of "I" it is the plural, whose form all verbs but "be" have. Unknown where
// writers take both ("the team is", "the team are"; "two years is a long time") and where the sentence does not tell. Throws
// Error as listed_words() does.
GrammaticalNumber subject_number(const ParsedSentence& sentence, size_t subject);

}  // namespace craft
