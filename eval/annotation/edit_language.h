// What ERRANT's rules ask of English, answered by our pipeline: errant 3.0.2's parse(text) without tokenisation.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "english/lazy_pipeline.h"
#include "metrics/edits/edit_extraction.h"

namespace craft {

AnnotatedTokens edit_tokens(EnglishDocument document);

// Tokens are words between blanks, which the pipeline does not cut further. `known_word` says whether English has a word.
EditLanguage english_edit_language(std::shared_ptr<const LazyEnglishPipeline> english, KnownWord known_word);

// The tokens of a sentence as it stands, which the pipeline cuts: what rules for entries of retrieval read.
std::function<AnnotatedTokens(const std::string& sentence)> english_sentence_tokens(
    std::shared_ptr<const LazyEnglishPipeline> english);

}  // namespace craft
