// `revise`: texts revised by one of five methods on any systems; each row with what it cost and how it came about.
#include <cmath>

#include "cli/asked_rows.h"
#include "cli/command.h"
#include "cli/english_options.h"
#include "cli/output_manifest.h"
#include "cli/revise_dry_run.h"
#include "cli/revise_inputs.h"
#include "cli/revise_options.h"
#include "core/file_hash.h"
#include "core/files.h"
#include "core/rows.h"
#include "judge/flowing_judge.h"
#include "rollout/rules_reviser.h"
#include "systems/usable_answers.h"

namespace craft {

namespace {

int run_revise(int argc, const char* const* argv);

const Command kReviseCommand = {
    "revise",
    CommandGroup::revise_and_judge,
    "revise texts: directly, by a plan, in rounds, or by a search",
    "craft-train revise --reviser local:weights/smollm2-135m-instruct.gguf --method direct --text \"The mill was built in "
    "1841. It "
    "was closed, due to the fact that the river silted up.\" --instruction \"Use less than 15 words:\"",
    run_revise,
    Work::generation};

// Everything that a revision refers to, opened once.
class Parts {
public:
    Parts(ReviseOptions& o, const CommonOptions& common, const Json& earlier_manifest)
        : prompts_(o.prompts), asking_(o.systems, o.flow, common, earlier_manifest.value("usage", Json())) {
        const Placement& place = asking_.place();
        if (!o.planner.empty() && needs_planner(o.method)) parts_.planner = &asking_.open(o.planner_spec, "planner");
        environment_.emplace(o.environment, open_language_model(o.environment, nullptr, place.dtype, place.device),
                             place.dtype, place.device);
        judge_.emplace(asking_.flow(), environment_->judge());
        parts_.judge = &*judge_;
        if (o.reviser_spec.kind == SystemSpec::Kind::rules) {
            parts_.reviser = &environment_->reviser();
        } else {
            ModelReviserOptions options = o.model_reviser;
            // Samples of a search that has no plan differ by the reviser's draws alone.
            if (o.method.method == Method::search && !o.method.use_plan && options.sampling.temperature == 0)
                options.sampling.temperature = o.method.search_temperature;
            reviser_.emplace(asking_.open(o.reviser_spec, "reviser"), prompts_, options);
            parts_.reviser = &*reviser_;
        }
        prompt_.emplace(
            PromptTemplate::load(prompts_.path("planner." + o.environment.prompt + ".txt"), o.environment.reward.sentences));
        feedback_.emplace(WordingTable::load(prompts_.path("feedback.json")));
        if (!o.suggestions.aspects.empty()) {
            text_feedback_.emplace(asking_.open(o.feedback_spec, "feedback"), prompts_, o.suggestions);
            parts_.text_feedback = &*text_feedback_;
        }
        parts_.prompt = &*prompt_;
        parts_.feedback = &*feedback_;
    }
    const MethodParts& parts() const { return parts_; }
    AskingRun& asking() { return asking_; }
    Json versions() const {
        Json versions = environment_->versions();
        versions["prompts"] = prompts_.versions();
        return versions;
    }

private:
    PromptFiles prompts_;
    AskingRun asking_;
    std::optional<RevisionEnvironment> environment_;
    std::optional<FlowingJudge> judge_;
    std::optional<ModelReviser> reviser_;
    std::optional<PromptTemplate> prompt_;
    std::optional<WordingTable> feedback_;
    std::optional<TextFeedbackGiver> text_feedback_;
    MethodParts parts_;
};

// A row as it came, with what was made of it: keys of `made` replace those of the same name.
Json output_row(const RevisionTask& task, const RevisionResult& result) {
    Json row = Json::object();
    row["id"] = task.row.at("id");
    row["text"] = result.text;
    add_status(row, result.text != task.instruction.text, result.problem());
    const Json made = result.row();
    for (const auto& [key, value] : made.items()) row[key] = value;
    for (const auto& [key, value] : task.row.items()) {
        // The reason of a row of an earlier `revise` goes with the status that it had.
        const bool is_stale = key == "reason" && task.row.contains("status");
        if (!is_stale && !row.contains(key)) row[key] = value;
    }
    return row;
}

// What is told of all rows together, whoever made them: read off the rows.
struct Totals {
    int64_t rows = 0, conditions = 0, met = 0;
    int64_t calls = 0, input_tokens = 0, output_tokens = 0;
    double seconds = 0;
    std::optional<double> usd;
    int64_t computed = 0, plain = 0, generated = 0;  // tokens of the planner (PlannerTokens)
    int64_t iterations = 0;                          // of searches, else rounds
    std::map<std::string, int64_t> counted;
    std::map<std::string, int64_t> status;  // rows by it
    UsableAnswers answers;

    void add(const Json& row) {
        ++rows;
        ++status[row.at("status").get<std::string>()];
        answers.add_row(row);
        for (const Json& condition : row.at("conditions")) {
            ++conditions;
            met += condition.value("met", false) ? 1 : 0;
        }
        const Json& cost = row.at("cost");
        calls += cost.value("calls", int64_t{0});
        input_tokens += cost.value("input_tokens", int64_t{0});
        output_tokens += cost.value("output_tokens", int64_t{0});
        seconds += cost.value("seconds", 0.0);
        if (has_value(cost, "usd")) usd = usd.value_or(0) + cost["usd"].get<double>();
        const Json& trace = row.at("trace");
        iterations += trace.contains("search") ? trace["search"].value("iterations", int64_t{0})
                                               : static_cast<int64_t>(trace.at("rounds").size());
        if (trace.contains("planner_tokens")) {
            computed += trace["planner_tokens"].value("computed", int64_t{0});
            plain += trace["planner_tokens"].value("plain", int64_t{0});
            generated += trace["planner_tokens"].value("generated", int64_t{0});
        }
        for (const auto& [name, count] : trace.value("counted", std::map<std::string, int64_t>())) counted[name] += count;
    }
};

Json to_json(const Totals& t) {
    Json cost = {{"calls", t.calls},
                 {"input_tokens", t.input_tokens},
                 {"output_tokens", t.output_tokens},
                 {"seconds", t.seconds},
                 {"usd", value_or_null(t.usd)}};
    return {{"rows", t.rows},
            {"status", t.status},
            {"iterations", t.iterations},
            {"conditions", t.conditions},
            {"met", t.met},
            {"cost", std::move(cost)},
            {"planner_tokens", {{"computed", t.computed}, {"plain", t.plain}, {"generated", t.generated}}},
            {"counted", t.counted}};
}

// --text: the revision, then the conditions, for people.
void print_for_people(const RevisionResult& result) {
    std::string out = result.text + "\n";
    if (!result.rounds.empty() && !result.rounds.back().conditions.all.empty()) {
        out += "\n";
        for (const Condition& one : result.rounds.back().conditions.all)
            out += (one.met ? "met      " : "not met  ") + one.call + (one.value ? "  " + std::to_string(*one.value) : "") +
                   (one.problem.empty() ? "" : "  " + one.problem) + "\n";
    }
    if (!result.rounds.empty() && result.rounds.back().conditions.preserved)
        out += "\npreserved " + std::to_string(std::lround(100 * *result.rounds.back().conditions.preserved)) + " %\n";
    for (const auto& [name, count] : result.counted) log_info(name, {{"times", count}});
    write_stdout(out);
}

// The texts, read as they are worked on: however many there are, few of them are in memory.
class Texts {
public:
    Texts(const ReviseOptions& o, GivenPlans& plans) : plans_(plans), reader_(o.input, o.lines) {
        if (!o.tree.empty()) texts_of_.emplace();
    }
    std::optional<RevisionTask> next() {
        while (const auto row = reader_.next()) {
            try {
                RevisionTask task = revision_task(*row, reader_.where(), plans_);
                if (texts_of_) task.of_id = ++(*texts_of_)[task.instruction.id];
                return task;
            } catch (const Error& error) {
                reader_.reject(error.what());
            }
        }
        return std::nullopt;
    }
    int64_t bad_lines() const { return reader_.bad_lines(); }

private:
    GivenPlans& plans_;
    JsonLinesReader reader_;
    std::optional<std::map<std::string, int64_t>> texts_of_;  // by id, where trees are written
};

std::string tree_name(const RevisionTask& task) {
    std::string name;
    for (const char c : task.instruction.id)
        name += std::isalnum(static_cast<unsigned char>(c)) || c == '-' || c == '_' ? c : '_';
    if (name != task.instruction.id) name += "-" + hash_text(task.instruction.id).substr(6);
    if (task.of_id > 1) name += "#" + std::to_string(task.of_id);
    return name + ".json";
}

// The output's row; the tree of a search is written where it is wanted.
Json revised_row(const RevisionTask& task, const ReviseOptions& options, const Parts& parts, const GivenPlans& plans) {
    const Instruction& instruction = task.instruction;
    const RevisionResult result =
        plans.empty() ? revise_text(instruction, parts.parts(), options.method)
                      : revise_by_response(instruction, plans.of(instruction.id), parts.parts(), options.method);
    if (!options.tree.empty()) write_json_file(options.tree / tree_name(task), result.tree, -1);
    return output_row(task, result);
}

int revise_file(const ReviseOptions& given, const OptionTable& table, const CommonOptions& common) {
    ReviseOptions options = given;
    const RunIdentity identity = rows_identity(kReviseCommand, table, common, open_placement(common));
    GivenPlans plans(options.plans, options.lines);
    PartialRows partial(options.output, identity, common.overwrite);
    Texts texts(options, plans);
    OutputManifest manifest(options.output, identity, partial.earlier() > 0);
    Parts parts(options, common, manifest.earlier());
    if (!options.tree.empty()) ensure_folder(options.tree);
    const auto write_manifest = [&](bool finished) {
        manifest.note("versions", parts.versions());
        manifest.note("usage", parts.asking().systems().usage());
        if (texts.bad_lines() > 0) manifest.note("dropped", {{"bad line", texts.bad_lines()}});
        manifest.write(finished);
    };
    const auto next = [&]() -> std::optional<RowMaker> {
        auto task = texts.next();
        if (!task) return std::nullopt;
        return [&, one = std::move(*task)] { return revised_row(one, options, parts, plans); };
    };
    JsonLinesWriter writer(options.output);
    Totals totals;
    const auto write = [&](const Json& row) {
        writer.write(row);
        totals.add(row);
    };
    const auto kept = [&] { write_manifest(false); };
    const AskedRows items = {"revising", "texts", 0, next};
    if (!make_rows(items, parts.asking(), partial, kept, write)) return 0;
    if (plans.unused() > 0) {
        log_warning(options.plans + ": plans of ids that no text has", {{"plans", plans.unused()}});
        manifest.note("unused_plans", plans.unused());
    }
    manifest.note("revised", to_json(totals));
    write_manifest(false);
    log_info("revised", to_json(totals));
    if (!partial.keeps()) writer.close();  // whatever came of the rows
    partial.check([&] { parts.asking().require_answers(totals.answers, rows_say_why(options.output), partial.earlier()); });
    writer.close();
    write_manifest(true);
    partial.remove();
    return 0;
}

int revise_one(ReviseOptions options, const CommonOptions& common) {
    Parts parts(options, common, Json::object());
    Instruction task;
    task.id = "text";
    task.instruction = options.instruction;
    task.text = options.text;
    std::optional<RevisionResult> result;
    bool given = false;
    const bool all = parts.asking().run<Instruction, RevisionResult>(
        [&]() -> std::optional<Instruction> { return std::exchange(given, true) ? std::nullopt : std::optional(task); },
        [&](Instruction& one) { return revise_text(one, parts.parts(), options.method); },
        [&](Instruction&, std::optional<RevisionResult>& revised) { result = std::move(revised); }, [] {});
    parts.asking().report(all);
    if (!result) return 0;
    UsableAnswers answers;
    answers.add(result->problem());
    answers.require_any("answers", "the warnings say why");
    print_for_people(*result);
    return 0;
}

int run_revise(int argc, const char* const* argv) {
    CommonOptions common;
    ReviseOptions options;
    OptionTable table;
    bind_revise(table, options);
    if (!parse_command(kReviseCommand, table, common, argc, argv, [&](OptionTable& t) { check_revise(t, options); }))
        return 0;
    const NameFinder names = find_names(options.english);
    table.add_fact("names", names.signature);
    options.environment.prompt =
        planner_prompt(options.environment.prompt, options.planner_spec.model, options.planner_spec.adapter);
    options.method.preserve.find_names = options.model_reviser.preserve.find_names = names.find;
    if (options.dry_run) {
        write_stdout(revision_estimate(options).dump(2) + "\n");
        return 0;
    }
    return options.text.empty() ? revise_file(options, table, common) : revise_one(options, common);
}

}  // namespace

Command revise_command() {
    return kReviseCommand;
}

}  // namespace craft
