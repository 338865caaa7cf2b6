// The options of `judge`.
#pragma once

#include <functional>

#include "cli/command.h"
#include "cli/common.h"
#include "core/options.h"
#include "judge/run/judge_inputs.h"
#include "judge/verdicts/preference_pairs.h"

namespace craft {

void bind_candidate_scores(OptionTable& table, CandidateScoreOptions& options);
// For commands whose options `judge` and `panel` may be `scores`.
void bind_candidate_scores(OptionTable& table, CandidateScoreOptions& options);

// For commands that have an option `judge`.
void bind_pair_making(OptionTable& table, PairMakingOptions& options);
// Adds what is wrong with them.
void check_pair_making(OptionTable& table, const PairMakingOptions& options);

void bind_judge(OptionTable& table, JudgeOptions& options);
// Reads who judges, and adds what is wrong with the options as a whole.
void check_judge(OptionTable& table, JudgeOptions& options);

// Reads guideline and candidates, and prints the estimate (--dry-run) or judges (judge/run/judge_run.h). What a command
// returns. `on_input`, if given, is called with what is going to be judged.
int judge_candidates(const Command& command, const OptionTable& table, CommonOptions& common, JudgeOptions& options,
                     const std::function<void(const JudgeInput&)>& on_input = nullptr);

}  // namespace craft
