#include "align/trajectory_run.h"

#include <atomic>
#include <memory>
#include <optional>
#include <vector>

#include "core/error.h"
#include "core/files.h"
#include "core/log.h"
#include "core/rows.h"
#include "data/tool_usage.h"
#include "judge/flowing_judge.h"
#include "rollout/teacher_example.h"
#include "systems/open/asking_run.h"
#include "systems/prompt_files.h"
#include "systems/prompts.h"

namespace craft {

namespace fs = std::filesystem;

namespace {

// Everything that sessions refer to, opened once.
class TeacherParts {
public:
    TeacherParts(const TrajectoryRunOptions& o, const Placement& place, uint64_t seed, const Json& earlier_usage,
                 Ranks& ranks)
        : options_(o), asking_(with_ranks(o.systems, &ranks), o.flow, place, seed, earlier_usage) {
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
        environment_.emplace(around, open_language_model(around, place.dtype, place.device), place.dtype, place.device);
        judge_.emplace(asking_.flow(), environment_->judge());
        open_reviser();
        session_ = o.session;
        if (!o.suggestions.aspects.empty()) {
            text_feedback_.emplace(asking_.open(o.feedback, "feedback"), prompts_, o.suggestions);
            session_.text_feedback = &*text_feedback_;
        }
        const WordingTable words = WordingTable::load(share_folder() / "prompts" / "teacher.json");
        if (system_ != nullptr) {
            choose_prompt(words, seed);
            return;
        }
        TeacherOptions rules = o.rules;
        rules.seed = seed;
        rules.sentences = o.environment.reward.sentences;
        rules_teacher_.emplace(RulesTeacher(environment_->rules(), words, rules));
    }

    Trajectory run(const Instruction& instruction) {
        if (system_ == nullptr) return session(*rules_teacher_).run({instruction}).at(0);
        SystemResponder responder(*system_, sampling_, options_.asking);
        Trajectory made = session(responder).run({instruction}).at(0);
        // A teacher may be asked with an example that the planner, whom the trajectories are for, is not shown.
        if (asked_) made.prompt = environment_->prompt().render(instruction);
        asked_again_ += responder.asked_again();
        cut_observations_ += responder.cut_observations();
        return made;
    }
    bool asks() const { return system_ != nullptr || options_.reviser.kind != SystemSpec::Kind::rules || text_feedback_; }
    AskingRun& asking_run() { return asking_; }
    Json versions() const {
        Json versions = environment_->versions();
        if (asked_) versions["teacher_prompt"] = asked_->version();
        if (!prompts_.versions().empty()) versions["prompts"] = prompts_.versions();
        return versions;
    }
    Json asking() const { return {{"asked_again", asked_again_.load()}, {"cut_observations", cut_observations_.load()}}; }
    // Rank 0 counts what was asked in the others as well.
    void add_other_ranks() {
        const std::vector<std::string> all = asking_.ranks().exchange(dump_line(asking()));
        for (size_t rank = 1; rank < all.size() && asking_.ranks().is_first(); ++rank) {
            const Json other = Json::parse(all[rank]);
            asked_again_ += other.at("asked_again").get<int64_t>();
            cut_observations_ += other.at("cut_observations").get<int64_t>();
        }
    }

private:
    void open_reviser() {
        if (options_.reviser.kind == SystemSpec::Kind::rules) return;
        ModelReviserOptions reviser = options_.model_reviser;
        reviser.sentences = options_.environment.reward.sentences;
        environment_->set_reviser(
            std::make_unique<ModelReviser>(asking_.open(options_.reviser, "reviser"), prompts_, reviser));
    }
    // A local teacher may be a planner of ours, which has a prompt of its own.
    void choose_prompt(const WordingTable& words, uint64_t seed) {
        const bool is_hosted = options_.spec.kind == SystemSpec::Kind::hosted;
        const std::string name =
            options_.teacher_prompt == "auto" && is_hosted ? std::string("taught") : options_.teacher_prompt;
        if (name == "auto") return;
        if (name != "taught") {
            asked_.emplace(PromptTemplate::named(name, environment_->sentences()));
            return;
        }
        const PromptFiles files;
        const TeacherExample example =
            make_teacher_example(files.path("teacher_example.json"), environment_->rules(), environment_->wordings(), words,
                                 seed, environment_->sentences());
        asked_.emplace(with_example(files.text("planner.taught.txt", {"example_response"}), example),
                       environment_->sentences());
    }
    Session session(Responder& planner) {
        return {
            planner, environment_->reviser(), *judge_, asked_ ? *asked_ : environment_->prompt(), environment_->feedback(),
            session_};
    }

    const TrajectoryRunOptions& options_;
    PromptFiles prompts_;
    AskingRun asking_;
    System* system_ = nullptr;  // of a model as teacher
    SamplingOptions sampling_;
    std::optional<RevisionEnvironment> environment_;
    std::optional<FlowingJudge> judge_;
    std::optional<PromptTemplate> asked_;  // that a teacher is asked with in place of the environment's
    std::optional<TextFeedbackGiver> text_feedback_;
    SessionOptions session_;
    std::optional<TeacherResponder> rules_teacher_;
    std::atomic<int64_t> asked_again_ = 0, cut_observations_ = 0;
};

// The instructions, one by one. A bad line ends the command while nothing has been made, so they are looked through first;
// those of a pipe, which can be read once, are held in memory.
class InstructionRows {
public:
    explicit InstructionRows(const TrajectoryRunOptions& o) : file_(o.instructions.string()), lines_(o.lines) {
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
        return next_fit(*reader_,
                        [](const Json& row, const std::string& where) { return instruction_from_json(row, where); });
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
std::string limit_hint(const TrajectoryRunOptions& o) {
    if (o.sampling.max_new_tokens)
        return "responses were cut at --max-new-tokens " + std::to_string(*o.sampling.max_new_tokens) + ": allow more";
    // Hosted ones have been asked again with twice the room.
    const int64_t most = o.spec.kind == SystemSpec::Kind::hosted ? 2 * kMaxNewTokens : kMaxNewTokens;
    return "responses were cut at " + std::to_string(most) +
           " new tokens or at the end of the teacher's context: raise --max-new-tokens, or use a longer context";
}

void write_json_lines(const fs::path& store, const fs::path& file) {
    StoreReader reader(store);
    export_trajectories(reader, file.string());
}

}  // namespace

void make_trajectories(const TrajectoryRunOptions& options, const Placement& place, uint64_t seed, RunFolder& run,
                       Ranks& ranks) {
    InstructionRows instructions(options);
    if (instructions.bad_lines() > 0) run.set_dropped("bad line", instructions.bad_lines());
    run.save_manifest();
    if (instructions.usable() == 0)
        throw Error(options.instructions.string(), "instructions of c0 to c3", "only evaluation instructions");
    const Json earlier = run.manifest().value("notes", Json::object()).value("usage", Json());
    TeacherParts parts(options, place, seed, earlier, ranks);
    run.replace_former();
    SynthesisOptions synthesis = options.synthesis;
    synthesis.source = options.instructions.string();
    synthesis.limit = limit_hint(options);
    const auto note_figures = [&] {
        run.note("versions", parts.versions());
        if (!parts.asks()) return;
        run.note("usage", parts.asking_run().usage());
        run.note("asking", parts.asking());
        run.save_manifest();
    };
    const auto made = synthesise([&] { return instructions.next(); }, [&](const Instruction& one) { return parts.run(one); },
                                 parts.asking_run(), run.path(), synthesis, note_figures);
    if (!made) return;
    parts.add_other_ranks();
    if (!ranks.is_first()) return;
    const SynthesisReport& report = *made;
    note_figures();
    if (options.json_lines) write_json_lines(run.path(), run.path() / "trajectories.jsonl");
    write_trajectory_metrics(run.path());
    for (const auto& [reason, count] : report.dropped) run.set_dropped(reason, count);
    run.note("store", {{"instructions", report.instructions}, {"trajectories", report.trajectories}});
    run.note("kept_by_domain", report.kept_by_domain);
    run.note("responses", to_json(report.responses));
    if (!report.counted.empty()) run.note("counted", report.counted);
    run.finish();
    for (const std::string& line : domains_without_any(report)) log_warning(line);
    log_info("made trajectories", {{"instructions", report.instructions},
                                   {"trajectories", report.trajectories},
                                   {"kept_by_domain", report.kept_by_domain},
                                   {"dropped", report.dropped},
                                   {"leniency", report.responses.leniency},
                                   {"counted", report.counted},
                                   {"store", run.path().string()}});
}

}  // namespace craft
