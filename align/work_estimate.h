// What commands will ask of models and train, from counts and mean lengths alone: for estimates of rounds and of experiments
// whose data are not there yet. Figures are means, and "at most" where a loop may end early.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "align/align.h"
#include "align/instruction_run.h"
#include "align/round_roles.h"
#include "align/trajectory_run.h"
#include "rollout/revision_run.h"
#include "systems/open/open_system.h"

namespace craft {

// What a file or a store of an experiment holds.
struct DataSize {
    double rows = 0;
    double text = 0;   // tokens of a row's text
    double steps = 0;  // of a row that is a trajectory
};

// Of JSON Lines (.jsonl) that are there: "text", or where rows have none all of them; of any other file each line is a text.
// A token is taken for 4.5 bytes of English.
// Throws Error as JsonLinesReader does.
DataSize measured_size(const std::string& path);

// Tokens of what planners read and write about a text of so many. A plan quotes every sentence and says as much again.
struct PlannerLengths {
    explicit PlannerLengths(double text);
    double prompt;       // rules and tools, the instruction, the text
    double response;     // thought, calls, plan
    double observation;  // the revision and what tools found
    double step() const { return response + observation; }
};

// What one role is asked.
struct AskedWork {
    std::string role = {};
    SystemSpec system = {};  // by rules: nobody is asked
    double requests = 0, prompt_tokens = 0, new_tokens = 0;
    double prompts = 0;  // that a local model computes: samples of one history share theirs
};

// Trainings that are alike, on examples of a mean length.
struct TrainedWork {
    std::string name = {};
    std::filesystem::path model = {};
    Quantization quantize = Quantization::none;
    double examples = 0;  // of all these trainings
    TokenTree example = {};
    TrainOptions train = {};
    double trainings = 1;
    int64_t steps() const;
    double tokens() const;          // trained on, over all epochs
    double logprob_tokens() const;  // whose log-probabilities are computed before the first updates (logprobs_first())
    // These read the model's config, and throw Error as read_decoder_config() does.
    double trained_operations() const;
    double operations() const;  // with those of log-probabilities
};

struct WorkEstimate {
    std::vector<AskedWork> asked = {};
    std::vector<TrainedWork> trained = {};
};

// Adds requests of mean lengths to a role; nothing where rules play it, or where there are none. `prompts` is that of
// AskedWork; absent: as many.
void add_asked(WorkEstimate& work, const std::string& role, const SystemSpec& system, double requests, double prompt,
               double answer, std::optional<double> prompts = {});

double instructions_made(const InstructionRunOptions& options, const DataSize& texts);
WorkEstimate instructions_work(const InstructionRunOptions& options, const DataSize& texts);
WorkEstimate trajectories_work(const TrajectoryRunOptions& options, const DataSize& instructions);
WorkEstimate revisions_work(const RevisionRunOptions& options, const DataSize& texts);

struct RoundsToEstimate {
    const AlignOptions& align;
    const RoundRoleOptions& roles;
    SystemSpec planner = {};
    Quantization quantize = Quantization::none;
    int64_t dev = 0, selection = 0;  // instructions of these sets
    double text = 0;                 // tokens of a text
};
WorkEstimate rounds_work(const RoundsToEstimate& rounds);
// The trainings of all rounds, whose prompts and responses have these mean lengths in tokens: on pairs, or on groups of all
// samples.
TrainedWork round_trainings(const AlignOptions& options, double prompt, double response);
// The control's beside them: one response of each, repeated until as many tokens have been computed.
TrainedWork control_trainings(const AlignOptions& options, double prompt, double response);
// A training on trajectories, of which thoughts and actions count; of rows without steps half of the text does.
TrainedWork sequence_training(const DataSize& sequences);
// On pairs, whose rows are a prompt and two sides of equal lengths.
TrainedWork pair_training(const DataSize& pairs);

// What is stated of the machines, a second; 0: nothing is.
struct WorkRates {
    double operations = 0;  // of training and of reading prompts
    double new_tokens = 0;  // of all requests together
};

// {"roles": {ROLE: {"system","requests","prompt_tokens","new_tokens","operations","weight_bytes" (of a local one),"usd" (of
// a hosted one)}}, "trainings": {NAME: {"model", "examples","steps","tokens","operations","weight_bytes"}},
// "operations","usd","hours"}: operations of local models and trainings; usd null where a profile has no price; hours null
// where a rate is missing that they need. With `place` and no stated rate of operations, steps of each training are measured
// there on random weights, as `sft --estimate` does: "peak_memory_bytes" and "seconds_per_step". Throws Error as
// read_decoder_config() and estimate_training() do; UsageError on unknown profiles.
Json to_json(const WorkEstimate& work, const Json& profiles, const WorkRates& rates, const std::optional<Placement>& place);

}  // namespace craft
