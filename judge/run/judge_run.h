// One run of `judge`: groups asked about side by side, what was said kept, figures and pairs made of it.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "data/pair_file.h"
#include "judge/run/judge_inputs.h"
#include "judge/run/judging_materials.h"
#include "judge/verdicts/judging_figures.h"
#include "systems/open/asking_run.h"

namespace craft {

class JudgeRun {
public:
    // To be made before the input is read. `options` has the guideline's aspect.
    JudgeRun(const JudgeOptions& options, std::optional<Guideline> guideline, const RunIdentity& identity, bool overwrite,
             const PlacementOptions& placing, Ranks& ranks = Ranks::alone());
    // Judges, the ranks each their share of the groups, and writes pairs, judgements and the manifest; what answers in batch
    // files is waited for. Throws Error where of no answer of a judge anything could be used.
    void run(const JudgeInput& input);

private:
    void open_judges();
    void warn_of_families(const JudgeInput& input);
    void measure(const JudgeInput& input);
    void require_answers(const JudgingFigures& figures) const;
    Json write_pairs(const JudgeInput& input, PairWriter& writer);
    Json origin(const JudgedGroup& judged) const;
    std::vector<Json> judgement_rows() const;
    Json marking_options() const;
    void write_marks() const;
    void compare();
    void note(OutputManifest& manifest) const;

    const JudgeOptions& options_;
    const PlacementOptions& placing_;
    std::optional<Guideline> guideline_;
    PromptFiles prompts_;
    RunIdentity identity_;
    KeptOutput kept_;
    AskingRun asking_;
    JudgingSources sources_;
    std::optional<CandidateScores> scores_;
    std::shared_ptr<const LeakCheck> leaks_;
    std::string system_prompt_;
    std::vector<std::unique_ptr<CandidateJudge>> judges_;
    std::optional<JudgePanel> panel_;
    std::vector<JudgedGroup> judged_;
};

}  // namespace craft
