#include "cli/common.h"

#include <torch/version.h>

#include <algorithm>
#include <cstdlib>

#include "cli/model_memory.h"
#include "cli/option_groups.h"
#include "core/files.h"
#include "core/input_streams.h"
#include "core/model_cache.h"
#include "core/model_files.h"
#include "core/option_files.h"
#include "core/run_folder.h"
#include "core/version.h"
#include "data/constraints/generator.h"

namespace craft {

namespace {

// What the command works with, for the manifest.
void note_surroundings(RunFolder& run, const Placement& place) {
    run.note("place", to_json(place));
    if (const char* named = std::getenv("CRAFT_SHARE"); named != nullptr && *named != '\0')
        run.note("share",
                 std::filesystem::absolute(named).string());  // other prompts, rules and models than those that ship
    run.note_version("libtorch", TORCH_VERSION);
    run.note_version("sentencepiece", sentencepiece_version());
    run.note_version("hdf5", hdf5_version());
    run.save_manifest();
}

}  // namespace

void bind_common(OptionTable& table, CommonOptions& options) {
    const auto group = table.group(kCommonGroup);
    table.add("seed", options.seed, "seed of every random choice").flag("--seed");
    table.add("threads", options.threads, "CPU threads; 0: all cores not kept busy by other programs")
        .flag("--threads")
        .min(0)
        .not_identity();
    table.add("device", options.device, "auto, cpu, cuda or cuda:N; auto: cuda where one works, else cpu")
        .flag("--device")
        .not_identity();
    table
        .add("dtype", options.dtype,
             "data type of weights and activations; auto: bfloat16 on CUDA, and on a CPU where it is faster for the "
             "command's work; else float32")
        .flag("--dtype")
        .one_of({"auto", "float32", "bfloat16"});
    table.add("quiet", options.quiet, "only warnings and errors on stderr").flag("--quiet").not_identity();
    table.add("verbose", options.verbose, "also debug lines on stderr").flag("--verbose").not_identity();
    table
        .add_enum("log_format", options.log_format, {{"text", LogFormat::text}, {"json", LogFormat::json}},
                  "format of stderr")
        .flag("--log-format")
        .not_identity();
}

namespace {

// Where options about files stand that several commands have.
std::string data_group(const OptionTable& table) {
    const auto& options = table.options();
    const bool is_there = std::any_of(options.begin(), options.end(), [](const Option& o) { return o.group == kDataGroup; });
    return is_there ? kDataGroup : kPlainGroup;
}

}  // namespace

void bind_run(OptionTable& table, CommonOptions& options, const std::string& rehearsal) {
    const auto group = table.group(data_group(table));
    Option& out = table.add("out", options.out, "run folder; the same command with the same folder resumes");
    out.flag("--out").managed().not_identity();
    if (rehearsal.empty())
        out.required();
    else
        out.required_without({rehearsal, {}});
    bind_overwrite(table, options, "start over; existing files are deleted once the inputs are read");
}

void bind_overwrite(OptionTable& table, CommonOptions& options, const std::string& help) {
    const auto group = table.group(data_group(table));
    table.add("overwrite", options.overwrite, help).flag("--overwrite").not_identity();
}

Option& bind_model(OptionTable& table, const std::string& key, std::filesystem::path& model, const std::string& note) {
    const std::string help = "model folder, GGUF file, or org/name in the Hugging Face cache";
    Option& option = table.add(key, model, note.empty() ? help : help + "; " + note).input();
    option.assign_text = [assign = option.assign_text](const std::string& text) { return assign(named_model(text)); };
    option.assign = [assign = option.assign](const Json& value) {
        return assign(value.is_string() ? Json(named_model(value.get<std::string>()).string()) : value);
    };
    return option;
}

void bind_json_lines(OptionTable& table, JsonLinesOptions& options) {
    const auto group = table.group(data_group(table));
    table.add("skip_bad_lines", options.skip_bad, "count and report bad input lines instead of ending the run")
        .flag("--skip-bad-lines")
        .not_identity();
}

void bind_own_model(OptionTable& table, std::filesystem::path& model, const std::string& note) {
    const auto group = table.group(kModelGroup);
    bind_model(table, "model", model, note).flag("--model").required();
}

Option& bind_domains(OptionTable& table, const std::string& key, std::vector<int>& domains, const std::string& help) {
    return table.add_enums(key, domains, {{"c0", 0}, {"c1", 1}, {"c2", 2}, {"c3", 3}, {"c4", 4}}, help).filled();
}

Option& bind_mix(OptionTable& table, const std::string& key, std::vector<double>& mix) {
    return table
        .add(key, mix,
             "eight shares: keep and modify sentence, word and sentence count, sentence length, keyword keep, "
             "remove and frequency; empty: equal")
        .min(0);
}

void add_mix_problem(OptionTable& table, const std::string& key, const std::vector<double>& mix,
                     const std::vector<int>& domains) {
    if (const auto problem = mix_problem(mix, domains); !problem.empty())
        table.add_problem(table.at(key).shown_name() + ": " + problem);
}

void bind_sentences(OptionTable& table, SentenceRule& rule) {
    table
        .add_enum("sentences", rule, {{"paper", SentenceRule::paper}, {"icu", SentenceRule::icu}},
                  "sentence splitter: by the paper's rule, or ICU's")
        .flag("--sentences");
}

std::vector<std::pair<std::string, std::string>> named_files(OptionTable& table, const std::string& key,
                                                             const std::vector<std::string>& written) {
    std::vector<std::pair<std::string, std::string>> files;
    Option& option = table.at(key);
    for (const std::string& one : written) {
        const size_t equals = one.find('=');
        if (equals == std::string::npos || equals == 0 || equals + 1 == one.size()) {
            table.add_problem(option.shown_name() + ": expected NAME=FILE, got '" + one + "'");
            continue;
        }
        const std::string name = one.substr(0, equals), file = one.substr(equals + 1);
        if (std::any_of(files.begin(), files.end(), [&](const auto& other) { return other.first == name; }))
            table.add_problem(option.shown_name() + ": expected each name once, got '" + name + "' again");
        files.emplace_back(name, file);
        option.reads({file});
    }
    return files;
}

void write_result(const std::string& output, const Json& result) {
    if (output == "-")
        write_stdout(result.dump(2) + "\n");
    else
        write_json_file(output, result);
}

void note_unknown_keys(RunFolder& run, const UnknownKeys& keys) {
    if (!keys.counts().empty()) run.note("unknown_keys", keys.counts());
}

RunIdentity identity_of(const Command& command, const OptionTable& table, const CommonOptions& options) {
    RunIdentity identity;
    identity.command = command.name;
    identity.options = table.identity();
    identity.facts = table.facts();
    for (const std::filesystem::path& input : input_files(table))  // of a model in several files each counts
        for (const std::filesystem::path& part : model_parts(input)) identity.inputs.push_back(part);
    identity.seed = options.seed;
    identity.command_line = options.command_line;
    identity.configuration = table.resolved();
    identity.configuration.erase("overwrite");  // of this start alone: given to --config it would overwrite another run
    return identity;
}

RunIdentity run_identity(const Command& command, const OptionTable& table, const CommonOptions& options) {
    expect_models_fit(table, options, input_files(table));
    return identity_of(command, table, options);
}

RunIdentity rows_identity(const Command& command, const OptionTable& table, const CommonOptions& options,
                          const Placement& place, bool by_parts) {
    for (const std::filesystem::path& input : input_files(table)) make_rereadable(input);
    RunIdentity identity = run_identity(command, table, options);
    if (!by_parts || in_bfloat16_where_fast(place, options).dtype == place.dtype)
        identity.options["--dtype"] = to_json(place).at("dtype");
    return identity;
}

RunFolder open_run(const Command& command, const OptionTable& table, const CommonOptions& options) {
    const Placement place = open_placement(options);
    const RunIdentity identity = run_identity(command, table, options);
    RunFolder run = RunFolder::open(options.out, identity, options.overwrite);
    set_resumable_run(options.out.string());
    if (!run.finished()) note_surroundings(run, place);
    if (run.finished())
        log_info(options.out.string() + ": this run is already finished; --overwrite starts it over");
    else if (run.resumed())
        log_info(options.out.string() + ": resuming where the run stopped");
    return run;
}

RunFolder open_run(const Command& command, const OptionTable& table, const CommonOptions& options, ProcessGroup& group) {
    std::optional<RunFolder> run;
    group.run_on_first_rank([&] { run.emplace(open_run(command, table, options)); });
    const Json state = Json::parse(
        group.broadcast_text(run ? dump_line({{"finished", run->finished()}, {"resumed", run->resumed()}}) : ""));
    if (!run) run.emplace(RunFolder::follow(options.out, state.at("finished"), state.at("resumed")));
    return std::move(*run);
}

}  // namespace craft
