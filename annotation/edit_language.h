// What ERRANT's rules ask of English, answered by our pipeline: errant 3.0.2's parse(text) without tokenisation.
#pragma once

#include <memory>

#include "english/lazy_pipeline.h"
#include "metrics/edits/edit_extraction.h"

namespace craft {

AnnotatedTokens edit_tokens(EnglishDocument document);

// Tokens are words between blanks, which the pipeline does not cut further. `known_word` says whether English has a word.
EditLanguage english_edit_language(std::shared_ptr<const LazyEnglishPipeline> english, KnownWord known_word);

}  // namespace craft
