// What the pipeline and the parser say of a sentence, written down: for models as short lines, for programs as JSON.
#pragma once

#include <string>

#include "core/json.h"
#include "english/constituents.h"
#include "tools/grammar/error_parsing.h"

namespace craft {

// "She/PRP reads/VBZ ./." with the Penn Treebank's tags. A token's white space is none of it.
std::string tagging_text(const EnglishDocument& tokens);
Json tagging_json(const EnglishDocument& tokens);  // [{"text","start","tag","pos","lemma","features"}...]

// A line a word, "2 reads: ROOT" and "1 She: nsubj of reads (2)"; after them the constituents, or why there are none.
std::string dependency_text(const EnglishDocument& tokens, const ConstituentParse& parse);
// {"words":[{"text","start","head","relation"}...],"constituents","parse_problem"}: heads are places in the list, a root's
// its own.
Json dependency_json(const EnglishDocument& tokens, const ConstituentParse& parse);

std::string error_text(const ErrorReport& report, const EnglishDocument& tokens);
Json error_json(const ErrorReport& report, const EnglishDocument& tokens);

std::string spelling_text(const SpellingReport& report, const EnglishDocument& tokens);
Json spelling_json(const SpellingReport& report, const EnglishDocument& tokens);

}  // namespace craft
