// What the parts of the main job will take on this machine, told before it begins.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "align/main_job.h"
#include "core/progress.h"
#include "train/estimate.h"

namespace craft {

// Of the job's own data, as far as they are there before it begins.
struct JobData {
    const std::vector<TokenTree>& sft;          // what SFT trains on
    std::vector<Instruction> base;              // sets that planners are asked: the base's part of dev,
    const std::vector<Instruction>& dev;        // all of it,
    const std::vector<Instruction>& selection;  // and the one that chooses
};

struct JobCosts {
    std::vector<JobProgress::Part> parts;  // named by their stages' folders, "align/round-1/pairs"; in their order
    double seconds = 0;                    // of all that is not complete in `folder`
    int64_t peak_memory = 0;               // bytes
};

// Measures a few steps of SFT on random weights and a few short answers of the planner's base, and counts tokens: of what
// the base or the rules wrote where they stand for what a trained planner will write. Throws what estimate_training() and
// generation throw.
JobCosts job_costs(const MainJobOptions& options, const Planner& planner, RevisionEnvironment& environment,
                   const JobData& data, const std::filesystem::path& folder);

// "about 9 minutes and 2.4 GB".
std::string told(const JobCosts& costs);

}  // namespace craft
