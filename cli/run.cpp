// `run`: the commands of an experiment, in order, each skipped that is complete and resumed that was stopped.
#include <algorithm>
#include <cstdlib>

#include "cli/command.h"
#include "cli/commands.h"
#include "cli/common.h"
#include "cli/experiment.h"
#include "cli/experiment_estimate.h"
#include "cli/option_groups.h"
#include "cli/stage_process.h"
#include "cli/training.h"
#include "core/file_lock.h"
#include "core/files.h"
#include "core/option_files.h"
#include "core/run_manifest.h"
#include "core/signals.h"
#include "core/utf8.h"

namespace craft {

namespace {

namespace fs = std::filesystem;

struct RunOptions : ExperimentOptions {
    fs::path experiment;
    WorkRates rates;
};

int run_run(int argc, const char* const* argv);

const Command kRunCommand = {"run",
                             CommandGroup::evaluate,
                             "an experiment: its commands in order, resumable",
                             "craft-train run configs/example.json --out runs/example",
                             run_run,
                             Work::training};

void bind(OptionTable& table, RunOptions& o, CommonOptions& common) {
    const auto group = table.group(kPlainGroup);
    table.add("experiment", o.experiment, "configuration with the experiment's stages (docs/configurations.md)")
        .positional("EXPERIMENT")
        .configuration()
        .required();
    table.add("variables", o.variables, "what {NAME} stands for in stages; {out} is --out");
    table.add("stages", o.stages, "by name and in order: {\"command\",\"config\",\"options\",\"launcher\"}");
    table.add("out", common.out, "folder of the experiment; the same command with the same folder continues")
        .flag("--out")
        .managed()
        .required();
    bind_overwrite(table, common, "make changed stages anew, and those behind them");
    table
        .add("estimate", o.is_estimate,
             "print what the stages would ask, train and cost, and exit: tokens, operations, memory, prices, hours")
        .flag("--estimate")
        .rehearsal();
    bind_rates(table, o.rates);
}

// Given once for the experiment, they hold for every stage that does not give them itself.
Json common_options(const OptionTable& table) {
    Json common = Json::object();
    for (const char* key : {"seed", "threads", "device", "dtype", "quiet", "verbose", "log_format"})
        if (const Option& option = table.at(key); option.is_given) common[key] = option.current();
    return common;
}

std::vector<ExperimentStage> read_stages(const OptionTable& table, RunOptions& o, const CommonOptions& common,
                                         const std::vector<Command>& all) {
    o.out = common.out;
    o.common = common_options(table);
    std::vector<std::string> problems;
    std::vector<ExperimentStage> stages = read_experiment(
        o, all,
        [&](const std::string& key) {
            const auto& sources = table.at(key.substr(0, key.find('.'))).sources_within;
            const auto source = sources.find(key);
            return source == sources.end() ? "" : source->second;
        },
        problems);
    if (!problems.empty()) throw UsageError(problems);
    return stages;
}

// What is kept of the stages beside their results: of each its options, and the manifest of how it was begun or made.
class Records {
public:
    explicit Records(const fs::path& out) : folder_(out / "stages") {}

    fs::path options_file(const ExperimentStage& stage) const { return folder_ / stage.name / "options.json"; }
    std::optional<Json> of(const ExperimentStage& stage) const { return read_manifest(folder_ / stage.name); }
    // Of the stage as it is now; reads its inputs.
    Json now(const ExperimentStage& stage) const { return new_manifest(stage.said.identity, folder_ / stage.name); }
    void write(const ExperimentStage& stage, const Json& manifest) const {
        write_json_file(folder_ / stage.name / kManifestFile, manifest);
    }
    fs::path lock() const { return folder_ / ".lock"; }

private:
    fs::path folder_;
};

bool is_finished(const std::optional<Json>& record) {
    return record && record->value("finished", false);
}

// Whether a command that did not finish left something of the stage.
bool is_begun(const ExperimentStage& stage) {
    if (!stage.said.run_folder.empty()) return read_manifest(stage.said.run_folder).has_value();
    return std::any_of(stage.said.outputs.begin(), stage.said.outputs.end(), [](const NamedPath& output) {
        std::error_code code;
        return fs::exists(output.path, code) || fs::exists(partial_path(output.path), code);
    });
}

// The problem with a stage that was made, or begun, as another one; "" where there is none.
std::string change_of(const ExperimentStage& stage, const std::optional<Json>& before, const Json& now) {
    const auto other = is_finished(before) || (before && is_begun(stage)) ? run_difference(*before, now) : std::nullopt;
    if (!other) return "";
    return "stage " + stage.name + ": expected the stage that is there: " + other->what + " " +
           shortened(other->before, 200) + ", got " + shortened(other->now, 200) +
           " (--overwrite makes it and what follows from it anew)";
}

bool are_inputs_there(const ExperimentStage& stage) {
    return std::all_of(stage.said.inputs.begin(), stage.said.inputs.end(), [](const NamedPath& input) {
        std::error_code code;
        return fs::exists(input.path, code);
    });
}

// Changes of stages that are there already, told before any work.
void refuse_changes(const std::vector<ExperimentStage>& stages, const Records& records) {
    std::vector<std::string> problems;
    for (const ExperimentStage& stage : stages) {
        const auto before = records.of(stage);
        if (!before || !are_inputs_there(stage)) continue;
        if (const std::string problem = change_of(stage, before, records.now(stage)); !problem.empty())
            problems.push_back(problem);
    }
    if (!problems.empty()) throw UsageError(problems);
}

Json run_there(const ExperimentStage& stage) {
    const auto manifest = stage.said.run_folder.empty() ? std::nullopt : read_manifest(stage.said.run_folder);
    return manifest ? manifest->value("identity", Json()) : Json();
}

bool any_output_exists(const ExperimentStage& stage) {
    return std::any_of(stage.said.outputs.begin(), stage.said.outputs.end(), [](const NamedPath& output) {
        std::error_code code;
        return fs::exists(output.path, code);
    });
}

// Whether a stage that this experiment began before, and did not finish, has to be told to replace what is there: a run
// folder that is still the one from before it, or files of which no rows are kept, since those appear when they are whole.
bool replaces_again(const ExperimentStage& stage, const Json& begun) {
    if (!stage.said.run_folder.empty()) {
        const Json there = run_there(stage);
        return !there.is_null() && there == begun.value("replaces", Json());
    }
    return std::none_of(stage.said.outputs.begin(), stage.said.outputs.end(), [](const NamedPath& output) {
        std::error_code code;
        return fs::exists(partial_path(output.path), code);
    });
}

std::vector<std::string> arguments_of(const ExperimentStage& stage, const Records& records, bool overwrite) {
    std::vector<std::string> arguments;
    for (size_t at = 0; at <= stage.command->name.size();) {
        const size_t end = std::min(stage.command->name.find(' ', at), stage.command->name.size());
        arguments.push_back(stage.command->name.substr(at, end - at));
        at = end + 1;
    }
    for (const fs::path& file : stage.configurations) arguments.insert(arguments.end(), {"--config", file.string()});
    arguments.insert(arguments.end(), {"--config", records.options_file(stage).string()});
    if (overwrite) arguments.emplace_back("--overwrite");
    return arguments;
}

// Returns the exit code of the stage's command.
int run_stage(const ExperimentStage& stage, const Records& records, bool overwrite) {
    fs::create_directories(records.options_file(stage).parent_path());
    Json manifest = records.now(stage);
    const auto before = records.of(stage);
    const std::string change = change_of(stage, before, manifest);
    if (!change.empty() && !overwrite) throw UsageError(change);
    if (is_finished(before) && change.empty() && stage.has_outputs() && !stage.said.outputs.empty()) {
        log_info("stage " + stage.name + ": is complete");
        return 0;
    }
    const bool is_new = before && (is_finished(before) || (overwrite && run_difference(*before, manifest)));
    const bool replaces = is_new || (before && replaces_again(stage, *before));
    manifest["replaces"] = before && !is_new ? before->value("replaces", Json()) : run_there(stage);
    // Without a record what is there is somebody else's, which the command refuses.
    if (before || !any_output_exists(stage)) records.write(stage, manifest);
    write_json_file(records.options_file(stage), stage.options);
    log_info("stage " + stage.name + ": " + stage.command->name);
    const int code = run_stage_process(stage.launcher, arguments_of(stage, records, replaces && stage.said.has_overwrite));
    if (code != 0) {
        log_error("stage " + stage.name + ": ended with exit code " + std::to_string(code) +
                  "; the same command continues there");
        return code;
    }
    manifest["finished"] = true;
    records.write(stage, manifest);
    return 0;
}

void expect_one_process() {
    for (const char* name : {"WORLD_SIZE", "SLURM_STEP_NUM_TASKS"})
        if (const char* value = std::getenv(name); value != nullptr && std::atoi(value) > 1)
            throw UsageError(std::string(name) + ": expected one process of `run`, got " + value +
                             " (a stage's \"launcher\" starts ranks)");
}

int run_run(int argc, const char* const* argv) {
    CommonOptions common;
    RunOptions options;
    OptionTable table;
    bind(table, options, common);
    if (!parse_command(kRunCommand, table, common, argc, argv)) return 0;
    expect_one_process();
    const std::vector<Command> all = commands();
    const std::vector<ExperimentStage> stages = read_stages(table, options, common, all);
    if (options.is_estimate) {
        write_stdout(estimate_experiment(stages, options.rates, common).dump(2) + "\n");
        return 0;
    }
    const Records records(common.out);
    if (!common.overwrite) refuse_changes(stages, records);
    fs::create_directories(records.lock().parent_path());
    const FileLock lock(records.lock());
    if (!lock.is_held()) throw Error(common.out.string(), "an experiment that nobody else runs", "one that is being run");
    set_resumable_run(common.out.string());
    for (const ExperimentStage& stage : stages) {
        throw_if_stopped();
        if (const int code = run_stage(stage, records, common.overwrite); code != 0) return code;
    }
    Json wrote = Json::array();
    for (const NamedPath& output : stages.back().said.outputs) wrote.push_back(output.path.string());
    log_info("the experiment is complete: " + common.out.string(), {{"stages", stages.size()}, {"last_wrote", wrote}});
    return 0;
}

}  // namespace

Command run_command() {
    return kRunCommand;
}

}  // namespace craft
