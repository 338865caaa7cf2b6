// Who judges in rounds of feedback (policy simplification App. A.4), opened.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "judge/run/candidate_judges.h"
#include "judge/run/judging_materials.h"
#include "judge/verdicts/guideline.h"
#include "judge/verdicts/judge_panel.h"
#include "simplify/feedback_rounds.h"
#include "systems/open/asking_run.h"

namespace craft {

struct SimplifyFeedbackOptions {
    FeedbackRoundsOptions rounds;
    std::string judge;
    CandidateJudgeSpec spec;  // what it says
    std::string guideline;    // empty: share/guidelines/sentence.txt with the policy's aspect
    std::string trace;        // a file of every round; empty: none
    JudgingPlan plan;
    ChoiceAsking asking{.sampling = {.keep_histories = false, .stage = "judge"}};
    JudgingSettings sources;  // without `english`, which the command has itself
    bool is_on() const { return rounds.rounds > 0; }
};

// The guideline that the judge is told.
std::filesystem::path guideline_file(const SimplifyFeedbackOptions& options);

// The judge of a run, opened once.
class OpenedFeedback {
public:
    // Throws Error and UsageError as read_guideline(), aspect_of_guideline(), JudgingSources and AskingRun::open() do, and
    // on a judge by rules whose guideline has aspects that they do not know. `prompts` and `asking` must outlive it.
    OpenedFeedback(const SimplifyFeedbackOptions& options, const std::string& english, SimplificationPolicy policy,
                   const PromptFiles& prompts, const PlacementOptions& placing, uint64_t seed, AskingRun& asking);
    FeedbackJudges judges() const { return {reporter_.get(), panel_ ? &*panel_ : nullptr}; }
    const FeedbackRoundsOptions& rounds() const { return rounds_; }  // with the aspect
    // For manifests: {"judge","aspect","guideline":{"version","hash"},"materials"} and, of rules, "rules".
    const Json& record() const { return record_; }

private:
    void open_model(const SimplifyFeedbackOptions& options, const PromptFiles& prompts, AskingRun& asking);
    void open_rules(const SimplifyFeedbackOptions& options);

    FeedbackRoundsOptions rounds_;
    JudgingSettings settings_;
    JudgingSources sources_;
    Guideline guideline_;
    Json record_ = Json::object();
    std::unique_ptr<CandidateReporter> reporter_;
    std::unique_ptr<CandidateJudge> judge_;
    std::optional<JudgePanel> panel_;
};

}  // namespace craft
