// The files of configs/, by what the comment at their head says that they are: a configuration of a command, or an
// experiment, which is one of `run`.
#pragma once

#include <filesystem>
#include <regex>
#include <string>
#include <vector>

#include "cli/commands.h"
#include "cli/experiment.h"
#include "core/files.h"
#include "core/options.h"
#include "tests/source.h"

namespace craft::test {

inline const std::filesystem::path kConfigs = std::filesystem::path(test_source()) / "configs";

// From configs/ on ("craft/row.json"), in alphabetical order.
inline std::vector<std::string> configurations() {
    std::vector<std::string> files;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(kConfigs))
        if (entry.path().extension() == ".json") files.push_back(std::filesystem::relative(entry.path(), kConfigs).string());
    std::sort(files.begin(), files.end());
    return files;
}

// "run", "sft"; "": it says none, so that others are based on it.
inline std::string command_of(const std::string& file) {
    std::smatch found;
    const std::string text = read_file(kConfigs / file);
    return std::regex_search(text, found, std::regex("^// `([a-z]+(?: [a-z]+)?)(?: --[^`]*)?`")) ? found[1].str() : "";
}

// An experiment as `run` reads it, from the repository's root.
struct LoadedExperiment {
    std::filesystem::path out;
    ExperimentOptions options;
    std::vector<ExperimentStage> stages;
    std::vector<std::string> problems;

    explicit LoadedExperiment(const std::string& file, const std::vector<std::string>& overlays = {}) {
        OptionTable table;
        table.add("out", out, "");
        table.add("variables", options.variables, "");
        table.add("stages", options.stages, "");
        table.apply_file(std::filesystem::path("configs") / file);
        for (const std::string& overlay : overlays) table.apply_file(std::filesystem::path("configs") / overlay);
        // So that all files of tables are told of.
        for (auto& [name, stage] : options.stages.items())
            if (stage.contains("options")) stage["options"].erase("skip_missing");
        problems = table.problems();
        options.out = out.empty() ? "runs/base" : out;
        static const std::vector<Command> all = commands();
        stages = read_experiment(
            options, all,
            [&](const std::string& key) {
                const auto& sources = table.at(key.substr(0, key.find('.'))).sources_within;
                const auto source = sources.find(key);
                return source == sources.end() ? "" : source->second;
            },
            problems);
    }
};

// While it lives, the current folder is this one.
class InFolder {
public:
    explicit InFolder(const std::filesystem::path& folder) : before_(std::filesystem::current_path()) {
        std::filesystem::current_path(folder);
    }
    ~InFolder() { std::filesystem::current_path(before_); }
    InFolder(const InFolder&) = delete;
    InFolder& operator=(const InFolder&) = delete;

private:
    std::filesystem::path before_;
};

}  // namespace craft::test
