// What a command line says, with none of its work done: for `run`, which plans whole experiments.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

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
    // Answered:
    std::vector<std::string> problems;  // of command line and configuration, missing keys of hosted models included
    std::vector<NamedPath> inputs;      // whether they are there is not looked at
    std::vector<NamedPath> outputs;     // files and folders that it writes whole
    std::filesystem::path run_folder;   // its --out; empty: it has none
    bool has_overwrite = false;         // whether it takes --overwrite
    std::vector<std::string> systems;   // specifications of those that it asks
    RunIdentity identity;

    // Asks the command with these configuration files. It is answered where the command parses its options.
    static Inquiry of(const Command& command, const std::vector<std::filesystem::path>& configurations, Json options,
                      std::string source);
    // The one that the command is asked now; null: it is to work.
    static Inquiry* under_way();
    // What the parsed options say.
    void answer(const Command& command, OptionTable& table, const CommonOptions& common);
};

}  // namespace craft
