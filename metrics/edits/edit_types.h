// The error type of an edit (errant 3.0.2, en/classifier.py; Bryant, Felice and Briscoe 2017): "R:VERB:TENSE", an operation
// (M: missing, U: unnecessary, R: replaced) and a category.
#pragma once

#include <functional>
#include <string>

#include "metrics/edits/alignment.h"
#include "metrics/edits/annotated_token.h"

namespace craft {

// Whether English has this word, as it is written. ERRANT asks a list of British English, with -ise and -ize.
using KnownWord = std::function<bool(const std::string&)>;

// "UNK" if both sides are equal. Needs tokens with parts of speech, tags and heads. Throws Error on a tag that is not of the
// Penn Treebank, as OntoNotes writes it.
std::string edit_type(const AlignedTokens& edit, const AnnotatedTokens& source, const AnnotatedTokens& target,
                      const KnownWord& known_word);

}  // namespace craft
