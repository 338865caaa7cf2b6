// `trajectories`: ReAct trajectories from instructions, by a teacher (CRAFT §5.1.1); `import` and `export` of stores.
#include "align/trajectories.h"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>

#include "align/environment.h"
#include "cli/align_options.h"
#include "cli/chat_options.h"
#include "cli/command.h"
#include "cli/common.h"
#include "cli/placement.h"
#include "core/error.h"
#include "core/files.h"
#include "core/rows.h"
#include "data/tool_usage.h"
#include "judge/quality.h"
#include "systems/open/open_system.h"
#include "systems/prompts.h"

namespace craft {

namespace fs = std::filesystem;

namespace {

struct TrajectoriesOptions {
    fs::path instructions;
    std::string teacher = "rules", scorers = "auto";
    SystemSpec spec;  // what `teacher` says
    bool json_lines = false;
    TeacherOptions rules;
    EnvironmentOptions environment;
    SessionOptions session;
    SamplingOptions sampling = {.max_new_tokens = 1024};
    SynthesisOptions synthesis;
    StoreOptions store;
    ChatOptions chat;
    JsonLinesOptions lines;
};

void bind_store(OptionTable& table, StoreOptions& o) {
    table.add("store.segment_trajectories", o.segment_trajectories, "trajectories of a segment file: what a kill can cost")
        .min(1);
    table.add("store.compression", o.compression, "deflate level of segment files; 0: off").min(0).max(9);
}

void bind(OptionTable& table, TrajectoriesOptions& o) {
    table.add("instructions", o.instructions, "what `constraints` writes, JSON Lines, - for stdin")
        .flag("--instructions")
        .required();
    table.add("teacher", o.teacher, "who plans: rules (built in), or local:MODEL[+ADAPTER]").flag("--teacher");
    bind_chat(table, o.chat);
    table.add("jsonl", o.json_lines, "write trajectories.jsonl (chat messages) beside the store").flag("--jsonl");
    bind_prompt(table, o.environment.prompt);
    table
        .add("plan_lines", o.rules.plan_lines,
             "lines of the rules' plan, for sentences to change; 0: one for every sentence")
        .flag("--plan-lines")
        .min(0);
    table.add("quote_words", o.rules.quote_words, "words of a sentence that the rules' plan quotes; 0: all")
        .flag("--quote-words")
        .min(0);
    table.add("max_steps", o.session.max_steps, "steps of a trajectory").flag("--max-steps").min(1).max(100);
    table.add("min_gain", o.session.epsilon, "points of S_a (0-100) by which a further step must improve").min(0);
    std::vector<std::string> scorers = quality_scorer_names();
    scorers.insert(scorers.begin(), "auto");
    scorers.emplace_back("none");
    table
        .add("scorers", o.scorers,
             "of S_r: perplexity; none: S_r is absent; auto: perplexity where there is a model to measure it with")
        .flag("--scorers")
        .one_of(scorers);
    bind_model(table, "perplexity_model", o.environment.perplexity_model, "measures perplexity; none: a local teacher's own")
        .flag("--perplexity-model");
    bind_sentences(table, o.environment.reward.sentences);
    table.add("sampling.temperature", o.sampling.temperature, "of the local teacher; 0: greedy")
        .flag("--temperature")
        .min(0);
    table.add("sampling.max_new_tokens", o.sampling.max_new_tokens, "of the local teacher, a step")
        .flag("--max-new-tokens")
        .min(1);
    bind_constrained(table, o.sampling).flag("--constrain-calls");
    table.add("keep_wrong_calls", o.synthesis.keep_wrong_calls, "keep trajectories with wrong or missing tool calls")
        .flag("--keep-wrong-calls");
    table.add("batch", o.synthesis.batch, "instructions worked on side by side").min(1);
    bind_store(table, o.store);
    bind_json_lines(table, o.lines);
}

// "auto" is perplexity where a model can measure it, else none: run_trajectories() says so.
void resolve_scorers(OptionTable& table, TrajectoriesOptions& o) {
    const bool measurable = !o.environment.perplexity_model.empty() || o.spec.kind == SystemSpec::Kind::local;
    std::vector<std::string>& scorers = o.environment.scorers;
    scorers.clear();
    if (o.scorers == "auto" ? measurable : o.scorers != "none") scorers = {o.scorers == "auto" ? "perplexity" : o.scorers};
    if (table.find("scorers")->check().empty() && need_language_model(scorers) && !measurable)
        table.add_problem("--scorers " + o.scorers + " needs --perplexity-model MODEL, since the rules are no model");
}

void check(OptionTable& table, TrajectoriesOptions& o) {
    try {
        o.spec = SystemSpec::parse(o.teacher, table.find("teacher")->shown_name());
    } catch (const UsageError& error) {
        table.add_problem(error.what());
        return;
    }
    for (const char* key : {"chat_template", "allow_special"})
        if (const Option* option = table.find(key); o.spec.kind != SystemSpec::Kind::local && option->is_given)
            table.add_problem(option->shown_name() + " needs --teacher local:MODEL");
    if (o.sampling.constrain_calls && o.spec.kind == SystemSpec::Kind::rules)
        table.add_problem("--constrain-calls needs --teacher local:MODEL: the rules write nothing else");
    resolve_scorers(table, o);
}

// Everything that a session refers to, opened once.
struct Parts {
    std::unique_ptr<System> system;  // of a local teacher
    std::optional<RevisionEnvironment> environment;
    std::unique_ptr<Responder> teacher;

    Parts(const TrajectoriesOptions& o, const CommonOptions& common) {
        const Placement place = open_placement(common);
        const bool is_local = o.spec.kind == SystemSpec::Kind::local;
        EnvironmentOptions around = o.environment;
        if (is_local) {
            around.prompt = planner_prompt(around.prompt, o.spec.model, o.spec.adapter);
            if (around.perplexity_model.empty()) around.perplexity_model = o.spec.model;
            system = open_system(
                o.spec, {.dtype = place.dtype, .device = place.device, .chat = o.chat, .local = {.seed = common.seed}});
            SamplingOptions sampling = o.sampling;
            sampling.stage = "trajectories";
            teacher = std::make_unique<SystemResponder>(*system, sampling);
        } else if (around.prompt == "auto") {
            around.prompt = "full";
        }
        environment.emplace(around, open_language_model(around, nullptr, place.dtype, place.device));
        if (!is_local) {
            TeacherOptions rules = o.rules;
            rules.seed = common.seed;
            rules.sentences = o.environment.reward.sentences;
            teacher = std::make_unique<TeacherResponder>(
                RulesTeacher(environment->rules(), WordingTable::load(share_folder() / "prompts" / "teacher.json"), rules));
        }
    }
};

// All of them before any work: a bad line ends the command while nothing has been made.
std::vector<Instruction> read_all(const TrajectoriesOptions& o) {
    std::vector<Instruction> instructions;
    for_each_row(o.instructions.string(), o.lines, [&](const Json& row, const std::string& where) {
        instructions.push_back(instruction_from_json(row, where));
    });
    return instructions;
}

void write_json_lines(const fs::path& store, const fs::path& file) {
    StoreReader reader(store);
    export_trajectories(reader, file.string());
}

int run_trajectories(int argc, const char* const* argv);

const Command kTrajectoriesCommand = {
    "trajectories", CommandGroup::make_data, "plan, revise and check instructions step by step, for SFT",
    "craft-train trajectories --instructions instructions.jsonl --out runs/trajectories --jsonl", run_trajectories};

int run_trajectories(int argc, const char* const* argv) {
    CommonOptions common;
    TrajectoriesOptions options;
    OptionTable table;
    bind(table, options);
    bind_run(table, common);
    if (!parse_command(kTrajectoriesCommand, table, common, argc, argv, [&](OptionTable& t) { check(t, options); }))
        return 0;
    std::vector<fs::path> inputs = {options.instructions};
    for (const fs::path& folder : {options.spec.model, options.spec.adapter, language_model_folder(options.environment)})
        if (!folder.empty() && std::find(inputs.begin(), inputs.end(), folder) == inputs.end()) inputs.push_back(folder);
    RunFolder run = open_run(kTrajectoriesCommand, table, common, inputs);
    if (run.finished()) return 0;
    if (options.scorers == "auto" && options.environment.scorers.empty())
        log_info("no model to measure perplexity with: S_r is absent (--perplexity-model MODEL adds it)");
    int64_t bad_lines = 0;
    options.lines.bad_lines = &bad_lines;
    const std::vector<Instruction> instructions = read_all(options);
    if (bad_lines > 0) run.set_dropped("bad line", bad_lines);
    run.save_manifest();
    if (!instructions.empty() && std::all_of(instructions.begin(), instructions.end(), is_for_evaluation_only))
        throw Error(options.instructions.string(), "instructions of c0 to c3", "only such as are for evaluation");
    Parts parts(options, common);
    run.replace_former();
    options.synthesis.source = options.instructions.string();
    Session session = parts.environment->session(*parts.teacher, options.session);
    StoreWriter store(run.path(), options.store);
    size_t at = 0;
    const auto next = [&] { return at < instructions.size() ? std::optional(instructions[at++]) : std::nullopt; };
    const SynthesisReport report = synthesise(next, session, store, options.synthesis);
    if (options.json_lines) write_json_lines(run.path(), run.path() / "trajectories.jsonl");
    write_trajectory_metrics(run.path());
    for (const auto& [reason, count] : report.dropped) run.set_dropped(reason, count);
    run.note("versions", parts.environment->versions());
    run.note("store", {{"instructions", report.instructions}, {"trajectories", report.trajectories}});
    run.note("responses", to_json(report.responses));
    run.finish();
    log_info("made trajectories", {{"instructions", report.instructions},
                                   {"trajectories", report.trajectories},
                                   {"dropped", report.dropped},
                                   {"leniency", report.responses.leniency},
                                   {"store", run.path().string()}});
    return 0;
}

}  // namespace

Command trajectories_command() {
    return kTrajectoriesCommand;
}

}  // namespace craft
