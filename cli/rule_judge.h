// The judge by rules as a command's option, and what it asks: the pipeline, a source of difficulty, an aligner, parses, and
// a language model where one is named.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "cli/common.h"
#include "cli/english_options.h"
#include "core/json.h"
#include "judge/scorers/word_aligner.h"
#include "judge/verdicts/principles/principles_judge.h"

namespace craft {

enum class DifficultySource { size, count };

struct RuleJudgeSettings {
    DifficultySource difficulty = DifficultySource::size;
    std::filesystem::path perplexity_model;  // empty: well-formedness is not looked at
};

// Under the key `rules`.
void bind_rule_judge(OptionTable& table, RuleJudgeSettings& settings);
// What a manifest says.
Json rule_judge_record(const RuleJudgeSettings& settings);

// The sources of the rules; they may be used by several threads. Throws Error naming what is missing and the command that
// gets it.
PrincipleSources open_principle_sources(const RuleJudgeSettings& settings, const EnglishModel& english,
                                        std::shared_ptr<WordAligner> aligner, const CommonOptions& common);

}  // namespace craft
