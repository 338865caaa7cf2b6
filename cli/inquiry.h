// What a command line says, with none of its work done: for `run`, which plans whole experiments.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "align/work_estimate.h"
#include "cli/common.h"

namespace craft {

// A file or folder that an option names.
struct NamedPath {
    std::string option;  // "--model"
    std::filesystem::path path;
};

struct Inquiry {
    // Asked: the options of the command, as a configuration on top of its files, told of as `source`.
    Json options = Json::object();
    std::string source;
    bool needs_keys = true;  // keys of hosted models that are missing are problems
    // What a file holds, or will; null: no estimate is asked for.
    std::function<DataSize(const std::filesystem::path& file)> size_of;
    // Answered:
    std::vector<std::string> problems;  // of command line and configuration, missing keys included
    std::vector<NamedPath> inputs;      // whether they are there is not looked at
    std::vector<NamedPath> outputs;     // files and folders that it writes whole
    std::filesystem::path run_folder;   // its --out; empty: it has none
    bool has_overwrite = false;         // whether it takes --overwrite
    std::vector<std::string> systems;   // specifications of those that it asks
    RunIdentity identity;
    std::optional<WorkEstimate> work;                 // absent: the command makes no estimate
    std::map<std::filesystem::path, DataSize> makes;  // what its outputs will hold
    Json profiles = Json::object();                   // of hosted models

    // Asks the command with these configuration files. It is answered where the command parses its options. Throws what
    // size_of throws.
    void ask(const Command& command, const std::vector<std::filesystem::path>& configurations);
    // The one that the command is asked now; null: it is to work.
    static Inquiry* under_way();
    // The same where an estimate is asked for: the command's check() tells it, its options being right.
    static Inquiry* estimating();
    void tell(WorkEstimate estimate, std::map<std::filesystem::path, DataSize> outputs_hold = {});
    // What the parsed options say.
    void answer(const Command& command, OptionTable& table, const CommonOptions& common);
};

}  // namespace craft
