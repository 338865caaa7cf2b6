// The ReAct loop over many instructions, in lockstep or in a flow (CRAFT §5.1.1, Algorithm 1): plan, revise, observe.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "core/flow.h"
#include "rollout/stepper.h"
#include "systems/prompts.h"
#include "text/wording_table.h"

namespace craft {

class TextFeedbackGiver;

struct SessionOptions {
    int64_t max_steps = 5;
    double epsilon = 0.5;  // points of S_a (0-100) by which a further step must improve to be kept; below 0: all are
    // Each instruction is an item of it, so that the slowest answer stalls no other; planner, reviser and judge must be such
    // as its items may use. It must outlive the session. Null: all go step by step together.
    Flow* flow = nullptr;
    // Whose suggestions observations have beside what tools found (rollout/text_feedback.h), as far as a planner reads them;
    // it must outlive the session. Null: nobody is asked.
    const TextFeedbackGiver* text_feedback = nullptr;
};

class Session {
public:
    // The parts must outlive the session. `feedback` is share/prompts/feedback.json.
    Session(Responder& planner, Reviser& reviser, Judge& judge, PromptTemplate prompt, WordingTable feedback,
            const SessionOptions& options);

    // Until a further step does not raise S_a by epsilon (that step is left out), at most max_steps. The first step is
    // always kept; after a response that failed or was cut nothing is asked. In the order of the instructions.
    std::vector<Trajectory> run(const std::vector<Instruction>& instructions);
    // steps[i] steps for instruction i (0: the prompt alone): the histories of self-training. A response that failed or was
    // cut is no turn of a conversation: the history ends before it.
    std::vector<Trajectory> roll_out(const std::vector<Instruction>& instructions, const std::vector<int64_t>& steps);
    // `samples` independent next steps for each history, revised and judged; without observations, which nobody reads.
    // `ranked` (may be null) is notified of each history's steps as soon as they are there, in a flow from its item's
    // thread, so that a judge is asked about one history while others are still being sampled.
    using StepsSink = std::function<void(size_t history, const std::vector<Step>& steps)>;
    std::vector<std::vector<Step>> sample(const std::vector<Trajectory>& histories, int64_t samples,
                                          const StepsSink& ranked = nullptr);

    // The prompt and no steps yet.
    Trajectory start(const Instruction& instruction) const;

private:
    std::vector<Trajectory> run_together(const std::vector<Instruction>& instructions);
    std::vector<Trajectory> roll_out_together(const std::vector<Instruction>& instructions,
                                              const std::vector<int64_t>& steps);
    std::vector<std::vector<Step>> sample_together(const std::vector<Trajectory>& histories, int64_t samples);
    std::vector<Step> next_steps(const std::vector<StepRequest>& asks);
    void add_suggestions(const std::vector<Step*>& steps) const;

    Stepper stepper_;
    PromptTemplate prompt_;
    WordingTable feedback_;
    SessionOptions options_;
};

}  // namespace craft
