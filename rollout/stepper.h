// One step of a trajectory, made of a history: response, revision, verdict (CRAFT §5.1.1, Algorithm 1). Sessions, rounds,
// evaluations and searches are made of such steps.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "judge/fidelity/capital_names.h"
#include "judge/fidelity/keyword_preservation.h"
#include "judge/reward.h"
#include "rollout/responder.h"
#include "rollout/reviser.h"
#include "text/wording_table.h"
#include "tools/craft/check.h"

namespace craft {

struct StepResult {
    Reply reply;
    ParsedResponse response;                       // of reply.text; an empty one of a reply that has a problem()
    std::shared_ptr<const MeasuredText> original;  // the instruction's text; shared by the results of one call
    MeasuredText revision;
    Revised revised;  // what else is known of the revision; its text has moved to `revision`
    Judged judged;

    // As a trajectory keeps it, without feedback and observation.
    Step step() const;
    // With what the planner reads after it; `wordings` is share/prompts/feedback.json, and `names` finds what
    // detect_keyword() tells. The guess by capitals is what planners are trained with: trajectories must not depend on what
    // is installed.
    Step observed_step(const WordingTable& wordings, const KeywordFinder& names = capital_names) const;
};

class Stepper {
public:
    // The parts must outlive the stepper.
    Stepper(Responder& planner, Reviser& reviser, Judge& judge) : planner_(planner), reviser_(reviser), judge_(judge) {}
    // One result an ask, in order: all are planned, then revised, then judged. Throws Error where a part does or gives
    // another number of answers; Stopped between the parts.
    std::vector<StepResult> next(const std::vector<StepRequest>& asks);

private:
    Responder& planner_;
    Reviser& reviser_;
    Judge& judge_;
};

}  // namespace craft
