// --english, and what commands know of English by it.
#pragma once

#include <string>

#include "core/options.h"
#include "english/lazy_pipeline.h"
#include "eval/annotation/named_entities.h"

namespace craft {

// --english: a package's folder; "none"; "auto": english_model_folder(), if one is there.
Option& bind_english(OptionTable& table, std::string& model);

}  // namespace craft
