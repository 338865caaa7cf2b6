// Synthesis of ReAct trajectories for SFT (CRAFT §5.1.1): instructions in, a store out.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>

#include "core/flow.h"
#include "data/response_counts.h"
#include "data/store.h"
#include "rollout/session.h"

namespace craft {

struct SynthesisOptions {
    int64_t batch = 256;                  // instructions that a session works on in lockstep
    Flow* flow = nullptr;                 // instead, each instruction stands by itself, as many at once as it says
    bool keep_wrong_calls = false;        // keep trajectories with a tool_usage_problem; those with a cut step go ("cut")
    std::string source = "instructions";  // what errors call the input: its file
    std::string limit = "";               // what to change where the teacher's responses were cut; empty: nobody knows
};

struct SynthesisReport {
    int64_t instructions = 0, trajectories = 0;
    std::map<std::string, int64_t> dropped;  // by reason
    ResponseCounts responses;                // the teacher's, in all steps, those of dropped trajectories too
    std::map<std::string, int64_t> counted;  // Step::counted of all these steps
};

// Runs a session over some instructions: one trajectory each, in order. In a flow it is called by many threads at once.
using RunSession = std::function<std::vector<Trajectory>(const std::vector<Instruction>&)>;

// Runs sessions over the instructions in order and stores the trajectories. Instructions of C4, or with more than three
// constraints whatever their domain says, are for evaluation only (CRAFT §6.1) and are dropped. A store that was begun is
// continued: the instructions that it was made of are skipped (its progress says how many), so that a stopped run ends with
// the same bytes. Finishes the store; of a finished store it only reads the report. Throws Stopped on a signal, and what the
// session throws, AwaitedAnswer at the end of a flow, and keeps what was done. Throws Error if there is no instruction, or
// if no trajectory is left.
SynthesisReport synthesise(const std::function<std::optional<Instruction>()>& next, const RunSession& run,
                           StoreWriter& store, const SynthesisOptions& options = {});

// With one session, for batches in lockstep.
SynthesisReport synthesise(const std::function<std::optional<Instruction>()>& next, Session& session, StoreWriter& store,
                           const SynthesisOptions& options = {});

// metrics.jsonl and TensorBoard's events beside the store in `folder`: a row per trajectory, what its last step scored.
void write_trajectory_metrics(const std::filesystem::path& folder);

}  // namespace craft
