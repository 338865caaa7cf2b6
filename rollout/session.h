// The ReAct loop over many instructions in lockstep (CRAFT §5.1.1, Algorithm 1): plan, revise, observe.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "judge/reward.h"
#include "rollout/reviser.h"
#include "systems/prompts.h"
#include "systems/system.h"
#include "text/wording_table.h"

namespace craft {

struct SessionOptions {
    int64_t max_steps = 5;
    double epsilon = 0.5;  // points of S_a (0-100) by which a further step must improve to be kept; below 0: all are
    SamplingOptions sampling = {};
    SentenceRule sentences = SentenceRule::paper;
};

struct SessionReport {
    int64_t trajectories = 0, steps = 0;
    std::map<std::string, int64_t> stopped;  // by reason: "no gain", "most steps"
    int64_t cut_replies = 0;                 // the system's answer was cut at max_new_tokens
};

class Session {
public:
    // The parts must outlive the session. `feedback` is share/prompts/feedback.json.
    Session(System& planner, Reviser& reviser, Judge& judge, PromptTemplate prompt, WordingTable feedback,
            SessionOptions options);

    // Until a further step does not raise S_a by epsilon (that step is left out), at most max_steps. The first step is
    // always kept. In the order of the instructions.
    std::vector<Trajectory> run(const std::vector<Instruction>& instructions);
    // Exactly steps[i] steps for instruction i (0: the prompt alone): the histories of self-training.
    std::vector<Trajectory> roll_out(const std::vector<Instruction>& instructions, const std::vector<int64_t>& steps);
    // `samples` independent next steps for each history, revised and judged; their observations are filled in.
    std::vector<std::vector<Step>> sample(const std::vector<Trajectory>& histories, int64_t samples);

    // The prompt and no steps yet.
    Trajectory start(const Instruction& instruction) const;
    const SessionReport& report() const { return report_; }

private:
    struct Ask {
        const Trajectory* history = nullptr;
        uint64_t sample = 0;
    };
    std::vector<Step> next_steps(const std::vector<Ask>& asks);

    System& planner_;
    Reviser& reviser_;
    Judge& judge_;
    PromptTemplate prompt_;
    WordingTable feedback_;
    SessionOptions options_;
    SessionReport report_;
};

// The key of the random streams of the step behind so many: the instruction and their number, so that no order matters.
uint64_t step_key(const Instruction& instruction, size_t steps = 0);

}  // namespace craft
