// What ERRANT's rules ask of English, answered by our pipeline: errant 3.0.2's parse(text) without tokenisation.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "english/lazy_pipeline.h"
#include "metrics/edits/edit_extraction.h"
#include "metrics/edits/edit_types.h"

namespace craft {

AnnotatedTokens edit_tokens(EnglishDocument document);

// Tokens are words between blanks, which the pipeline does not cut further. `known_word` says whether English has a word.
EditLanguage english_edit_language(std::shared_ptr<const LazyEnglishPipeline> english, KnownWord known_word);

// The tokens of a sentence as it stands, which the pipeline cuts: what rules for entries of retrieval read.
std::function<AnnotatedTokens(const std::string& sentence)> english_sentence_tokens(
    std::shared_ptr<const LazyEnglishPipeline> english);

// Which words there are: a file for WordList::load(), "none" (every word), or "auto" (Debian's hunspell-en-gb where it is
// there; else every word, with a warning). `name` becomes what they are called. Throws Error as WordList::load() does.
KnownWord known_words(const std::string& given, std::string& name);

// What is known of English, for edits by ERRANT's rules: `english` as --english has it (find_english()), `words` as
// known_words() has them. Without a model edits are told by letters alone, which a warning says. Throws Error as
// find_english(), the pipeline and known_words() do.
EditLanguage open_edit_language(const std::string& english, const std::string& words);

}  // namespace craft
