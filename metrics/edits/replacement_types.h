// The type of an edit that replaces one word by one. Private to this folder: edit_types.h is what is asked.
#pragma once

#include <string>

#include "metrics/edits/edit_types.h"
#include "metrics/edits/token_span.h"

namespace craft {

// 's, n't, 've and their like.
bool is_contraction(const AnnotatedToken& token);
// The category, or nothing where the rules for several words are to decide. Both sides have one token.
std::string word_replacement_type(const TokenSpan& source, const TokenSpan& target, const KnownWord& known_word);

}  // namespace craft
