// Who is asked in rounds of self-training beside the planner, opened once.
#pragma once

#include <memory>
#include <optional>

#include "align/align.h"
#include "align/instruction_rewriter.h"
#include "align/sample_judging.h"
#include "rollout/model_reviser.h"
#include "rollout/text_feedback.h"
#include "systems/open/asking_run.h"

namespace craft {

struct RoundRoleOptions {
    SystemSpec reviser, feedback;  // who carries plans out; whose suggestions planners read
    SystemSpec rewriter;           // who words instructions; one by rules is none
    ModelReviserOptions model_reviser;
    RewriterOptions rewriting;
    TextFeedbackOptions suggestions;  // without aspects: none are asked for
    bool values_by_reviser = false;   // the revisions that values are read from are the reviser's, a model's
    RoundJudgeOptions judge;
    bool asks() const;  // a model beside the planner and the scorers
};

class RoundRoles {
public:
    // Also puts the reviser into the environment. What is opened refers to `asking` and `environment`, which must outlive
    // this. Throws Error and UsageError as the systems, their prompts and the judge do.
    RoundRoles(const RoundRoleOptions& options, AskingRun& asking, RevisionEnvironment& environment,
               const PlacementOptions& placing, uint64_t seed);
    // Sets what rounds refer to of this, which must outlive them.
    void give_to(AlignOptions& options);
    Json versions() const { return prompts_.versions(); }  // of prompts, for manifests
    Json judge() const;                                    // for manifests; null: the reward
private:
    const RoundRoleOptions& options_;
    AskingRun& asking_;
    PromptFiles prompts_;
    std::optional<ModelReviser> free_reviser_;
    std::optional<InstructionRewriter> rewriter_;
    std::optional<TextFeedbackGiver> text_feedback_;
    std::unique_ptr<OpenedRoundJudge> judge_;
};

}  // namespace craft
