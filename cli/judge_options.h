// What `judge` takes.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "cli/candidate_judges.h"
#include "cli/candidate_scores.h"
#include "cli/judging_materials.h"
#include "cli/pair_options.h"
#include "judge/verdicts/judge_panel.h"

namespace craft {

struct JudgeOptions {
    std::string input, output = "-";   // candidates; pairs
    std::string judgements;            // a file of all judgements with every answer as it came; empty: none
    std::vector<std::string> compare;  // files of judgements: one that this run's are compared with, or two
    std::string guideline, aspect;     // aspect: of which verdict pairs are made; empty: the only one
    std::string judge;
    std::vector<std::string> panel;
    std::vector<CandidateJudgeSpec> specs;  // what these say
    JudgeForm form = JudgeForm::listwise;
    JudgingPlan plan;
    std::filesystem::path prompts;        // folder of files that come before those of share/prompts; empty: none
    std::filesystem::path system_prompt;  // what a pair's prompt begins with; empty: the source alone
    PairMakingOptions pairs;
    CandidateScoreOptions scores;
    JudgingSettings sources;
    ChoiceAsking asking{.sampling = {.keep_histories = false, .stage = "judge"}};
    RoleSystemOptions systems;
    FlowOptions flow = {.items_at_once = 64, .items_ahead = 4096};
    JsonLinesOptions lines;
    bool dry_run = false;
    bool only_compares() const { return compare.size() == 2; }
    bool has(CandidateJudgeSpec::Kind kind) const;  // one of the judges is of this kind
};

void bind_judge(OptionTable& table, JudgeOptions& options);
// Reads who judges, and adds what is wrong with the options as a whole.
void check_judge(OptionTable& table, JudgeOptions& options);

}  // namespace craft
