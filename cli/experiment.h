// An experiment: commands in order, each with its configuration, as `run` reads them (docs/configurations.md).
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "cli/command.h"
#include "cli/inquiry.h"

namespace craft {

struct ExperimentStage {
    std::string name;
    const Command* command = nullptr;
    std::vector<std::filesystem::path> configurations;
    Json options = Json::object();      // on top of these
    std::vector<std::string> launcher;  // words before the command that start it in several ranks; empty: it is one process
    Inquiry said;

    // Whether all that it writes is there.
    bool has_outputs() const;
};

struct ExperimentOptions {
    Json variables = Json::object();  // by name: what {name} stands for
    Json stages = Json::object();     // by name, in their order: {"command", "config", "options", "launcher"}
    std::filesystem::path out;        // what {out} stands for
    Json common = Json::object();     // options of every stage that does not give them itself ("seed")
    bool is_estimate = false;         // nothing is to be run: keys and launchers need not be there
};

// The stages with their variables filled in, each command asked what it makes of its options. `source_of` says which file a
// value came from ("stages.sft.config", "variables.models"), or "--set": other configurations are named relative to it. Adds
// a problem for everything that is wrong before any work: fields and variables that are not there, variables of --set that
// no stage uses, launchers that are no programs, what the commands say of their options, inputs that neither are there nor
// are written by an earlier stage, and outputs that two stages write. `commands` must outlive the stages.
std::vector<ExperimentStage> read_experiment(const ExperimentOptions& options, const std::vector<Command>& commands,
                                             const std::function<std::string(const std::string& key)>& source_of,
                                             std::vector<std::string>& problems);

}  // namespace craft
