// One run of `constraints`: instructions with constraints from texts (CRAFT §3), or with constraints of style and content
// that a model writes (App. B.1).
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "align/instruction_rewriter.h"
#include "data/constraints/generator.h"
#include "model/kernels/placement.h"
#include "rollout/model_reviser.h"
#include "systems/open/asking_run.h"

namespace craft {

struct InstructionRunOptions {
    std::string texts, revisions;        // revisions are given; empty: the reviser writes them
    std::string output, proof;           // of instructions; of the revisions that meet them, empty: not written
    std::optional<std::string> sealed;   // the sealed set of that name, in place of texts
    std::filesystem::path report;        // of the counts; empty: not written
    GeneratorOptions generator;          // its seed is the run's
    SystemSpec reviser, rewriter, easy;  // by rules: the rules revise, nobody rewrites, programs check all constraints
    ModelReviserOptions model_reviser;
    RewriterOptions rewriting;
    SamplingOptions easy_sampling = {.temperature = 0.7, .keep_histories = false, .stage = "easy constraints"};
    std::filesystem::path prompts;  // files that come before those of share/prompts
    RoleSystemOptions systems;
    FlowOptions flow = {.items_at_once = 256, .items_ahead = 1024};
    JsonLinesOptions lines;

    bool asks() const;  // a model
};

// Where answers stand in batch files it says so and writes nothing. Throws Error and UsageError as the readers, the systems
// and the generator do, and where no instruction can be made or not one of a model's answers could be used.
void write_instructions(const InstructionRunOptions& options, const PlacementOptions& placing, uint64_t seed);

}  // namespace craft
