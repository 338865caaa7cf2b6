// One run of `trajectories`: instructions planned, revised and checked step by step by a teacher (CRAFT §5.1.1), into a
// store.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "align/trajectories.h"
#include "core/run_folder.h"
#include "data/store.h"
#include "model/kernels/placement.h"
#include "rollout/environment.h"
#include "rollout/model_reviser.h"
#include "rollout/responder.h"
#include "rollout/rules/rules_teacher.h"
#include "rollout/session.h"
#include "rollout/text_feedback.h"
#include "systems/open/asking_run.h"

namespace craft {

struct TrajectoryRunOptions {
    std::filesystem::path instructions;
    SystemSpec spec;               // the teacher
    SystemSpec reviser, feedback;  // who carries its plans out; whose suggestions it reads
    ModelReviserOptions model_reviser;
    TextFeedbackOptions suggestions;  // without aspects: none are asked for
    bool json_lines = false;          // trajectories.jsonl beside the store
    TeacherOptions rules;             // of a teacher by rules
    EnvironmentOptions environment;
    SessionOptions session;
    SamplingOptions sampling = {};  // of a model as teacher
    SynthesisOptions synthesis;
    // That a model as teacher is asked with: share/prompts/planner.NAME.txt. auto: of a hosted one taught, of a local one
    // the environment's.
    std::string teacher_prompt = "auto";
    ResponderOptions asking = {.attempts = 2};
    RoleSystemOptions systems;
    FlowOptions flow = {.items_at_once = 256, .items_ahead = 1024};
    JsonLinesOptions lines;
};

// Continues where the run stopped; the ranks share the instructions out. Where answers stand in batch files it says so, and
// the run is not finished. Throws Error and UsageError as the teacher, the environment and the readers do.
void make_trajectories(const TrajectoryRunOptions& options, const Placement& place, uint64_t seed, RunFolder& run,
                       Ranks& ranks = Ranks::alone());

}  // namespace craft
