// `judge --dry-run`: what judging these candidates would ask. And what the commands that judge do, dry or not.
#pragma once

#include <functional>
#include <optional>

#include "cli/judge_run.h"

namespace craft {

// Asks nobody, and opens no weights but an aligner's: {"groups", "bad_lines", "nothing_to_judge": {reason: groups},
// "judges": {NAME: what EstimatedRole::to_json() says}, "prompt": the messages of the first question}. The least requests
// take every answer to be readable at once.
Json judging_estimate(const JudgeOptions& options, const std::optional<Guideline>& guideline, const JudgeInput& input,
                      const CommonOptions& common);

// Reads guideline and candidates, and prints the estimate (--dry-run) or judges (JudgeRun). What a command returns.
// `on_input`, if given, is called with what is going to be judged.
int judge_candidates(const Command& command, const OptionTable& table, const CommonOptions& common, JudgeOptions& options,
                     const std::function<void(const JudgeInput&)>& on_input = nullptr);

}  // namespace craft
