// Synthesis of ReAct trajectories for SFT (CRAFT §5.1.1): instructions in, a store out.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>

#include "data/response_counts.h"
#include "data/store.h"
#include "rollout/session.h"

namespace craft {

struct SynthesisOptions {
    int64_t batch = 256;                  // instructions that the session works on side by side
    bool keep_wrong_calls = false;        // keep trajectories with a tool_usage_problem; those with a cut step go ("cut")
    std::string source = "instructions";  // what errors call the input: its file
};

struct SynthesisReport {
    int64_t instructions = 0, trajectories = 0;
    std::map<std::string, int64_t> dropped;  // by reason
    ResponseCounts responses;                // the teacher's, in all steps, those of dropped trajectories too
};

// Runs the session over the instructions in order and stores the trajectories. Instructions of C4, or with more than three
// constraints whatever their domain says, are for evaluation only (CRAFT §6.1) and are dropped. A store that was begun is
// continued: the instructions that it was made of are skipped (its progress says how many), so that a stopped run ends with
// the same bytes. Finishes the store; of a finished store it only reads the report. Throws Stopped on a signal and keeps the
// batches that were done. Throws Error if there is no instruction, or if no trajectory is left.
SynthesisReport synthesise(const std::function<std::optional<Instruction>()>& next, Session& session, StoreWriter& store,
                           const SynthesisOptions& options = {});

// metrics.jsonl and TensorBoard's events beside the store in `folder`: a row a trajectory, what its last step scored.
void write_trajectory_metrics(const std::filesystem::path& folder);

}  // namespace craft
