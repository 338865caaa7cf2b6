// One run of `revise`: texts revised by a method on the systems of its roles; each row with what it cost and how it came
// about.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "core/run_folder.h"
#include "rollout/environment.h"
#include "rollout/methods.h"
#include "rollout/model_reviser.h"
#include "systems/open/asking_run.h"

namespace craft {

struct RevisionRunOptions {
    std::string input, output;                             // of texts with their instructions
    std::string text, instruction;                         // or of one text
    std::string plans;                                     // a file of plans in a planner's place; empty: none
    std::string tokens_of;                                 // what another method wrote, for best-of; empty: nothing
    SystemSpec planner_spec, reviser_spec, feedback_spec;  // a planner by rules is none
    TextFeedbackOptions suggestions;                       // without aspects: none are asked for
    std::filesystem::path prompts, tree;  // files that come before those of share/prompts; for the trees of searches
    MethodOptions method;
    EnvironmentOptions environment;
    ModelReviserOptions model_reviser;
    RoleSystemOptions systems;
    FlowOptions flow = {.items_at_once = 0, .items_ahead = 1024};
    JsonLinesOptions lines;

    bool plans_by_model() const { return planner_spec.kind != SystemSpec::Kind::rules && needs_planner(method); }
};

// Revises the texts of a file, which the ranks share out; a stopped run of the same identity continues. Where answers stand
// in batch files it says so and writes nothing. Throws Error and UsageError as the systems, the environment and the readers
// do, and where no answer can be used.
void revise_file(const RevisionRunOptions& options, const Placement& place, uint64_t seed, const RunIdentity& identity,
                 bool overwrite, Ranks& ranks = Ranks::alone());
// Revises the one text, and prints it and its conditions for people.
void revise_one(const RevisionRunOptions& options, const Placement& place, uint64_t seed);

}  // namespace craft
