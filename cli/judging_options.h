// The options of judges: who judges, what they see and go by, and how evaluations ask one for verdicts in one word.
#pragma once

#include <string>

#include "align/sample_judging.h"
#include "core/options.h"
#include "judge/run/candidate_judges.h"
#include "judge/run/choice_run.h"
#include "judge/run/judging_materials.h"

namespace craft {

// Reads one judge of the option `key`; or adds what is wrong with it, naming the judges that there are, and returns false.
bool parse_candidate_judge(OptionTable& table, const char* key, const std::string& text, CandidateJudgeSpec& spec);

void bind_judging_settings(OptionTable& table, JudgingSettings& settings);
// All but --english, for commands that have it already.
void bind_judging_materials(OptionTable& table, JudgingSettings& settings);

void bind_judging(OptionTable& table, JudgingOptions& options);
// Reads who the judge is, and adds problems.
void check_judging(OptionTable& table, JudgingOptions& options);

void bind_round_judge(OptionTable& table, RoundJudgeOptions& options);
// Reads who the judge is and adds what is wrong.
void check_round_judge(OptionTable& table, RoundJudgeOptions& options);

}  // namespace craft
