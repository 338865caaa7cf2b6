// Word alignments without a model: by equal lemmas and by places. For a judge of rules that shares nothing with one whose
// words an encoder aligns.
#pragma once

#include <memory>
#include <string>

#include "data/word_alignment.h"
#include "english/lazy_pipeline.h"

namespace craft {

// Words of equal lemma are linked, in their order where they have one, else wherever they occur. Between links that follow
// each other on both sides, words that carry meaning stand for those in their places, shared out evenly where their numbers
// differ. Similarity is not measured, so that no word in such a place is found to say something else.
WordAlignment lemma_alignment(const std::string& source, const std::string& candidate, const LazyEnglishPipeline& english);

}  // namespace craft
