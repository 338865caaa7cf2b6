// `trajectories`: ReAct trajectories from instructions, by a teacher (CRAFT §5.1.1); `import` and `export` of stores.
#include "align/trajectories.h"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>

#include "align/environment.h"
#include "cli/align_options.h"
#include "cli/asking_run.h"
#include "cli/command.h"
#include "cli/common.h"
#include "cli/option_groups.h"
#include "cli/placement.h"
#include "cli/scorer_options.h"
#include "cli/system_options.h"
#include "core/error.h"
#include "core/files.h"
#include "core/rows.h"
#include "data/tool_usage.h"
#include "judge/flowing_judge.h"
#include "judge/scorers/registry.h"
#include "rollout/teacher_example.h"
#include "systems/prompt_files.h"
#include "systems/prompts.h"

namespace craft {

namespace fs = std::filesystem;

namespace {

struct TrajectoriesOptions {
    fs::path instructions;
    std::string teacher = "rules";
    std::vector<std::string> scorers = {"auto"};  // what check() makes `environment.scorers` of
    SystemSpec spec;                              // what `teacher` says
    bool json_lines = false;
    TeacherOptions rules;
    EnvironmentOptions environment;
    SessionOptions session;
    SamplingOptions sampling = {};
    SynthesisOptions synthesis;
    StoreOptions store;
    std::string teacher_prompt = "auto";
    ResponderOptions asking = {.attempts = 2};
    RoleSystemOptions systems;
    FlowOptions flow = {.items_at_once = 256, .items_ahead = 1024};
    JsonLinesOptions lines;
};

void bind_store(OptionTable& table, StoreOptions& o) {
    table.add("store.segment_trajectories", o.segment_trajectories, "trajectories of a segment file: what a kill can cost")
        .min(1);
    table.add("store.compression", o.compression, "deflate level of segment files; 0: off").min(0).max(9);
}

void bind(OptionTable& table, TrajectoriesOptions& o) {
    const auto data = table.group(kDataGroup);
    table.add("instructions", o.instructions, "what `constraints` writes, JSON Lines, - for stdin")
        .flag("--instructions")
        .input()
        .required();
    table.add("teacher", o.teacher, "who plans: rules (built in), local:MODEL[+ADAPTER], or openai:PROFILE")
        .flag("--teacher")
        .input();
    bind_role_systems(table, o.systems, {"teacher"});
    table.add("jsonl", o.json_lines, "write trajectories.jsonl (chat messages) beside the store").flag("--jsonl");
    bind_prompt(table, o.environment.prompt);
    table
        .add("teacher_prompt", o.teacher_prompt,
             "what a hosted teacher is asked with: share/prompts/planner.NAME.txt; taught has an example; trajectories keep "
             "--prompt")
        .flag("--teacher-prompt")
        .one_of({"auto", "taught", "full", "compact"})
        .needs({"teacher", {"openai:"}});
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
    {
        const auto reward = table.group(kRewardGroup);
        bind_scorers(table, o.scorers, "perplexity where there is a model to measure it with");
        bind_model(table, "perplexity_model", o.environment.perplexity_model,
                   "measures perplexity; none: a local teacher's own")
            .flag("--perplexity-model");
        bind_sentences(table, o.environment.reward.sentences);
    }
    const auto teacher = table.group("Teacher");
    table.add("sampling.temperature", o.sampling.temperature, "of a model as teacher; 0: greedy")
        .flag("--temperature")
        .min(0);
    bind_new_tokens(table, "sampling.max_new_tokens", o.sampling.max_new_tokens, "of a model as teacher, a step")
        .flag("--max-new-tokens");
    table
        .add("sampling.attempts", o.asking.attempts,
             "a model is asked at most so often for one step, if its response is malformed")
        .min(1);
    bind_constrained(table, o.sampling)
        .flag("--constrain-calls")
        .needs({"teacher", {"local:", "openai:"}}, "the rules write nothing else");
    table.add("keep_wrong_calls", o.synthesis.keep_wrong_calls, "keep trajectories with wrong or missing tool calls")
        .flag("--keep-wrong-calls");
    table.add("batch", o.synthesis.batch, "instructions worked on side by side").min(1);
    table.add("flow.items", o.flow.items_at_once, "the same of a hosted teacher").min(1).max(10000).not_identity();
    bind_store(table, o.store);
    bind_json_lines(table, o.lines);
}

// Where "auto" is none, run_trajectories() says so.
void resolve_scorers(OptionTable& table, TrajectoriesOptions& o) {
    const bool measurable = !o.environment.perplexity_model.empty() || o.spec.kind == SystemSpec::Kind::local;
    o.environment.scorers = resolved_scorers(
        table, o.scorers, measurable,
        o.spec.kind == SystemSpec::Kind::rules ? "since the rules are no model" : "since the teacher is no model of ours");
}

void check(OptionTable& table, TrajectoriesOptions& o) {
    parse_role(table, "teacher", o.teacher, o.spec);
    check_role_systems(table, o.systems, {o.spec});
    check_constrained(table, o.systems, o.spec, o.sampling.constrain_calls);
    resolve_scorers(table, o);
}

// Everything that sessions refer to, opened once.
class Parts {
public:
    Parts(const TrajectoriesOptions& o, const CommonOptions& common, const Json& earlier_usage)
        : options_(o), asking_(o.systems, o.flow, common, earlier_usage) {
        EnvironmentOptions around = o.environment;
        if (o.spec.kind == SystemSpec::Kind::local) {
            around.prompt = planner_prompt(around.prompt, o.spec.model, o.spec.adapter);
            if (around.perplexity_model.empty()) around.perplexity_model = o.spec.model;
        } else if (around.prompt == "auto") {
            around.prompt = "full";
        }
        if (o.spec.kind != SystemSpec::Kind::rules) system_ = &asking_.open(o.spec, "teacher");
        sampling_ = o.sampling;
        sampling_.stage = "trajectories";
        const Placement& place = asking_.place();
        environment_.emplace(around, open_language_model(around, nullptr, place.dtype, place.device), place.dtype,
                             place.device);
        const WordingTable words = WordingTable::load(share_folder() / "prompts" / "teacher.json");
        if (is_hosted()) {
            judge_.emplace(asking_.flow(), environment_->judge());
            if (o.teacher_prompt == "auto" || o.teacher_prompt == "taught") {
                const PromptFiles files;
                const TeacherExample example =
                    make_teacher_example(files.path("teacher_example.json"), environment_->rules(), environment_->wordings(),
                                         words, common.seed, environment_->sentences());
                asked_.emplace(with_example(files.text("planner.taught.txt", {"example_response"}), example),
                               environment_->sentences());
            } else {
                asked_.emplace(PromptTemplate::named(o.teacher_prompt, environment_->sentences()));
            }
        }
        if (system_ != nullptr) return;
        TeacherOptions rules = o.rules;
        rules.seed = common.seed;
        rules.sentences = o.environment.reward.sentences;
        rules_teacher_.emplace(RulesTeacher(environment_->rules(), words, rules));
    }

    bool is_hosted() const { return options_.spec.kind == SystemSpec::Kind::hosted; }
    Flow* flow() { return is_hosted() ? &asking_.flow() : nullptr; }
    // A hosted teacher is asked with an example that the planner, whom the trajectories are for, is not shown.
    std::vector<Trajectory> run(const std::vector<Instruction>& instructions) {
        if (system_ == nullptr) return environment_->session(*rules_teacher_, options_.session).run(instructions);
        SystemResponder responder(*system_, sampling_, options_.asking);
        std::vector<Trajectory> made;
        if (is_hosted()) {
            Session session(responder, environment_->reviser(), *judge_, *asked_, environment_->feedback(),
                            options_.session);
            made = session.run(instructions);
            for (Trajectory& trajectory : made) trajectory.prompt = environment_->prompt().render(trajectory.instruction);
        } else {
            made = environment_->session(responder, options_.session).run(instructions);
        }
        const std::lock_guard lock(mutex_);
        asked_again_ += responder.asked_again();
        cut_observations_ += responder.cut_observations();
        return made;
    }
    AskingRun& asking_run() { return asking_; }
    Json versions() const {
        Json versions = environment_->versions();
        if (asked_) versions["teacher_prompt"] = asked_->version();
        return versions;
    }
    Json asking() const { return {{"asked_again", asked_again_}, {"cut_observations", cut_observations_}}; }

private:
    const TrajectoriesOptions& options_;
    AskingRun asking_;
    System* system_ = nullptr;  // of a model as teacher
    SamplingOptions sampling_;
    std::optional<RevisionEnvironment> environment_;
    std::optional<FlowingJudge> judge_;    // of a hosted teacher
    std::optional<PromptTemplate> asked_;  // likewise
    std::optional<TeacherResponder> rules_teacher_;
    std::mutex mutex_;  // of what follows
    int64_t asked_again_ = 0, cut_observations_ = 0;
};

// The instructions, one by one. A bad line ends the command while nothing has been made, so they are looked through first;
// those of a pipe, which can be read once, are held in memory.
class InstructionRows {
public:
    explicit InstructionRows(const TrajectoriesOptions& o) : file_(o.instructions.string()), lines_(o.lines) {
        const bool is_file = fs::is_regular_file(o.instructions);
        JsonLinesOptions counted = lines_;
        counted.bad_lines = &bad_lines_;
        for_each_row(file_, counted, [&](const Json& row, const std::string& where) {
            Instruction instruction = instruction_from_json(row, where);
            usable_ += is_for_evaluation_only(instruction) ? 0 : 1;
            if (!is_file) held_.push_back(std::move(instruction));
        });
        if (is_file) reader_.emplace(file_, lines_);
    }
    int64_t bad_lines() const { return bad_lines_; }
    int64_t usable() const { return usable_; }  // not for evaluation only
    std::optional<Instruction> next() {
        if (!reader_) return at_ < held_.size() ? std::optional(held_[at_++]) : std::nullopt;
        while (const auto row = reader_->next()) {
            try {
                return instruction_from_json(*row, reader_->where());
            } catch (const Error& error) {
                reader_->reject(error.what());
            }
        }
        return std::nullopt;
    }

private:
    std::string file_;
    JsonLinesOptions lines_;
    int64_t bad_lines_ = 0, usable_ = 0;
    std::vector<Instruction> held_;
    size_t at_ = 0;
    std::optional<JsonLinesReader> reader_;
};

// What to change where responses are cut.
std::string limit_hint(const TrajectoriesOptions& o) {
    if (o.sampling.max_new_tokens)
        return "responses were cut at --max-new-tokens " + std::to_string(*o.sampling.max_new_tokens) + ": allow more";
    // Hosted ones have been asked again with twice the room.
    const int64_t most = o.spec.kind == SystemSpec::Kind::hosted ? 2 * kMostNewTokens : kMostNewTokens;
    return "responses were cut at " + std::to_string(most) +
           " new tokens or where the teacher's window ends: --max-new-tokens allows more, a longer window has more room";
}

void write_json_lines(const fs::path& store, const fs::path& file) {
    StoreReader reader(store);
    export_trajectories(reader, file.string());
}

int run_trajectories(int argc, const char* const* argv);

const Command kTrajectoriesCommand = {
    "trajectories",
    CommandGroup::make_data,
    "plan, revise and check instructions step by step, for SFT",
    "craft-train trajectories --instructions instructions.jsonl --out runs/trajectories --jsonl",
    run_trajectories,
    Work::generation};

int run_trajectories(int argc, const char* const* argv) {
    CommonOptions common;
    TrajectoriesOptions options;
    OptionTable table;
    bind(table, options);
    bind_run(table, common);
    if (!parse_command(kTrajectoriesCommand, table, common, argc, argv, [&](OptionTable& t) { check(t, options); }))
        return 0;
    RunFolder run = open_run(kTrajectoriesCommand, table, common);
    if (run.finished()) return 0;
    if (is_auto(options.scorers) && options.environment.scorers.empty())
        log_info("no model to measure perplexity with: S_r is absent (--perplexity-model MODEL adds it)");
    InstructionRows instructions(options);
    if (instructions.bad_lines() > 0) run.set_dropped("bad line", instructions.bad_lines());
    run.save_manifest();
    if (instructions.usable() == 0)
        throw Error(options.instructions.string(), "instructions of c0 to c3", "only such as are for evaluation");
    Parts parts(options, common, run.manifest().value("notes", Json::object()).value("usage", Json()));
    run.replace_former();
    options.synthesis.source = options.instructions.string();
    options.synthesis.flow = parts.flow();
    options.synthesis.limit = limit_hint(options);
    StoreWriter store(run.path(), options.store);
    const auto note_figures = [&] {
        run.note("versions", parts.versions());
        if (options.spec.kind == SystemSpec::Kind::rules) return;
        run.note("usage", parts.asking_run().systems().usage());
        run.note("asking", parts.asking());
        run.save_manifest();
    };
    const auto next = [&] { return instructions.next(); };
    SynthesisReport report;
    try {
        report = synthesise(next, RunSession([&](const auto& some) { return parts.run(some); }), store, options.synthesis);
        parts.asking_run().systems().finish();
    } catch (const AwaitedAnswer&) {
        parts.asking_run().systems().finish();
        note_figures();
        parts.asking_run().report(false);
        return 0;
    } catch (...) {
        note_figures();
        throw;
    }
    note_figures();
    parts.asking_run().report(true);
    if (options.json_lines) write_json_lines(run.path(), run.path() / "trajectories.jsonl");
    write_trajectory_metrics(run.path());
    for (const auto& [reason, count] : report.dropped) run.set_dropped(reason, count);
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
