// Synthesis of ReAct trajectories for SFT (CRAFT §5.1.1): instructions in, a store out.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "data/response_counts.h"
#include "data/store.h"
#include "rollout/session.h"
#include "systems/asked_rows.h"

namespace craft {

struct SynthesisOptions {
    bool keep_wrong_calls = false;        // keep trajectories with a tool_usage_problem; those with a cut step go ("cut")
    std::string source = "instructions";  // what errors call the input: its file
    std::string limit = "";               // what to change where the teacher's responses were cut; empty: nobody knows
    StoreOptions store = {};
};

struct SynthesisReport {
    int64_t instructions = 0, trajectories = 0;
    std::map<std::string, int64_t> dropped;  // by reason
    // Of each domain, as domain_name() names it, that instructions for training had: trajectories that were kept, also where
    // there are none, and those that were dropped, by reason.
    std::map<std::string, int64_t> kept_by_domain;
    std::map<std::string, std::map<std::string, int64_t>> dropped_by_domain;
    ResponseCounts responses;                // the teacher's, in all steps, those of dropped trajectories too
    std::map<std::string, int64_t> counted;  // Step::counted of all these steps
};

// Makes an instruction's trajectory; called by many threads of a flow at once.
using RunSession = std::function<Trajectory(const Instruction&)>;

// Runs a session over each instruction, side by side in the flow of `asking`, and stores the trajectories in their order.
// Instructions of C4, or with more than three constraints whatever their domain says, are for evaluation only (CRAFT §6.1)
// and are dropped. What an instruction comes to is kept in FOLDER/trajectories.partial until the store is finished, so that
// a stopped run ends with the same bytes; `note` is called when some of it has reached the disk. Of a finished store it only
// reads the report. Of several ranks, rank 0 has the store and the report. nullopt: answers are in batch files. Throws what
// ask_for_rows() does, and Error if there is no instruction, or if no trajectory is left.
std::optional<SynthesisReport> synthesise(
    const std::function<std::optional<Instruction>()>& next, const RunSession& run, Asking& asking,
    const std::filesystem::path& folder, const SynthesisOptions& options = {}, const std::function<void()>& note = [] {});

// A line for each domain of which no trajectory was kept: 'domain c2: none of 60 trajectories was kept (dropped: 60 "missing
// call")'.
std::vector<std::string> domains_without_any(const SynthesisReport& report);

// metrics.jsonl and TensorBoard's events beside the store in `folder`: a row per trajectory, what its last step scored.
void write_trajectory_metrics(const std::filesystem::path& folder);

}  // namespace craft
