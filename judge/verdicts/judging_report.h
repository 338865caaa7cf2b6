// Figures of judges as lines for people.
#pragma once

#include <string>

#include "core/json.h"

namespace craft {

// `figures` as JudgingFigures::to_json() gives them: of each judge and aspect a table of places, agreements and systems.
std::string judging_report(const Json& figures);
// `compared` as compare_judgings() gives it.
std::string comparison_report(const Json& compared);

}  // namespace craft
