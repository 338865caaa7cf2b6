// The conditions that a planner's calls set, checked on a revision: R_c of the search (CRAFT §5.2, App. D.5), and what
// `revise` reports. Knows the planner's own calls, never gold ones.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/json.h"
#include "judge/fidelity/capital_names.h"
#include "judge/fidelity/keyword_preservation.h"
#include "tools/craft/check.h"
#include "tools/craft/craft_tools.h"

namespace craft {

struct Condition {
    std::string call;              // normal form; of an unusable call as it was written
    bool met = false;              // an unusable call is not met
    std::optional<int64_t> value;  // what was measured
    std::string problem;           // of an unusable call
};

// What of a text should survive its revision, and counts as one more condition (CRAFT App. B, E.2 detect_keyword).
struct Preserve {
    bool names = false;                        // named entities
    bool latex = false;                        // commands, mathematics, labels, references, citations
    KeywordFinder find_names = capital_names;  // may be called by several threads at once
};
// LaTeX first, then names that are none of it; each once.
std::vector<std::string> keywords_to_preserve(const std::string& text, const Preserve& preserve);

struct Conditions {
    std::vector<Condition> all;       // each distinct call once, in their order; text_eval and detect_keyword set none
    std::optional<double> preserved;  // share of the keywords' occurrences that the revision still has; absent: none asked
    double share() const;             // R_c: met / all, `preserved` counting as one more; 1 where there is none
};

// `preserve`: keywords of the original whose occurrences should survive (may be empty).
Conditions check_conditions(const ParsedCalls& calls, const MeasuredText& original, const MeasuredText& revision,
                            const std::vector<std::string>& preserve = {});

// [{"call","met","value"}...]; "problem" where a call is unusable, and "preserved" as a condition of its own.
Json to_json(const Conditions& conditions);

}  // namespace craft
