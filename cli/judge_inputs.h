// What `judge` reads: candidates and a guideline.
#pragma once

#include <optional>
#include <vector>

#include "cli/judge_options.h"
#include "core/unknown_keys.h"
#include "data/candidates.h"
#include "judge/verdicts/guideline.h"

namespace craft {

// The groups of a file, in order. Throws Error on a bad row, an id that stands twice, or no row at all.
struct JudgeInput {
    std::vector<CandidateGroup> groups;
    UnknownKeys unknown;
    int64_t bad_lines = 0;
};
JudgeInput read_judge_input(const JudgeOptions& options);

// The guideline with the option --aspect put right: "" of one without aspects, the only one where it was not given. Throws
// UsageError on an aspect that the guideline does not have, or none where it has several.
std::optional<Guideline> read_judge_guideline(JudgeOptions& options);

// The aspect that was asked for or, where none was, the only one; "" of a guideline without aspects. Throws UsageError
// naming
// --aspect otherwise; `file` is the guideline's.
std::string aspect_of_guideline(const Guideline& guideline, const std::string& file, const std::string& asked);

}  // namespace craft
