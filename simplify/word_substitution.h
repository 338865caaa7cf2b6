// Hard words of a sentence replaced by easier ones, its structure left as it is: what the policy of lexical paraphrasing
// asks for, by rules.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "english/dictionary/plain_words.h"
#include "english/token.h"

namespace craft {

// The easier word for a token, in the form that its tag asks for ("utilised", VBD -> "used") and in lower case; absent: none
// is known, or the word is easy already. The whole sentence is given since words mean what their neighbours let them.
using WordSubstitute = std::function<std::optional<std::string>(const EnglishDocument& sentence, size_t token)>;

// The text with every noun, verb, adjective and adverb replaced for which there is an easier word; names (of entities, and
// by their tags), numbers and words with capitals within are left. Capitals are kept, and "a" and "an" before a new word
// follow its first sound. Set phrases of `plain`, where it is given, are replaced first ("in order to"), those with names in
// them excepted. `document` is the text's annotation.
std::string substitute_words(const std::string& text, const EnglishDocument& document, const WordSubstitute& easier,
                             const PlainWords* plain = nullptr);

}  // namespace craft
