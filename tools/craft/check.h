// What the tools measure on a revision (docs/definitions.md, Tools).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tools/craft/tool_call.h"
#include "tools/measured_text.h"

namespace craft {

enum class Scoring {
    strict,     // docs/definitions.md as it stands
    published,  // the paper's Table 3 from the authors' released outputs, defects included
};

struct CheckResult {
    bool met = false;
    std::optional<int64_t> measured;  // words, sentences, occurrences; for lengths the worst sentence's; absent for others
    std::string detail;               // one clause for feedback: which sentences or counts miss the condition; empty if met
};

// `original` is the text before revision. text_eval and detect_keyword are not conditions: met = true. In the published
// mode a word_count_check is taken as a lone one (it passes); a range is the caller's to refuse
// (data/constraints/adherence.h).
CheckResult check(const ToolCall& call, const MeasuredText& original, const MeasuredText& revision,
                  Scoring scoring = Scoring::strict);

// "only change" constraints: sentences of the original outside `ids` whose bare form is gone from the revision (a figure of
// its own, outside S_c).
std::vector<int64_t> sentences_touched_besides(const std::vector<int64_t>& ids, const MeasuredText& original,
                                               const MeasuredText& revision);

}  // namespace craft
