#include "rollout/revision_run.h"

#include <cctype>
#include <cmath>
#include <map>
#include <optional>
#include <utility>

#include "core/error.h"
#include "core/file_hash.h"
#include "core/files.h"
#include "core/log.h"
#include "core/rows.h"
#include "data/row_domains.h"
#include "judge/flowing_judge.h"
#include "rollout/revision_inputs.h"
#include "rollout/rules_reviser.h"
#include "systems/open/asking_run.h"
#include "systems/usable_answers.h"

namespace craft {

namespace {

// Everything that a revision refers to, opened once.
class RevisionParts {
public:
    RevisionParts(const RevisionRunOptions& o, const Placement& place, uint64_t seed, const Json& earlier_usage,
                  Ranks* ranks)
        : prompts_(o.prompts), asking_(with_ranks(o.systems, ranks), o.flow, place, seed, earlier_usage) {
        if (o.plans_by_model()) parts_.planner = &asking_.open(o.planner_spec, "planner");
        environment_.emplace(o.environment, open_language_model(o.environment, place.dtype, place.device), place.dtype,
                             place.device);
        judge_.emplace(asking_.flow(), environment_->judge());
        parts_.judge = &*judge_;
        if (o.reviser_spec.kind == SystemSpec::Kind::rules) {
            parts_.reviser = &environment_->reviser();
        } else {
            ModelReviserOptions options = o.model_reviser;
            // Samples that have no plan differ by the reviser's draws alone.
            const bool samples = o.method.method == Method::search || o.method.method == Method::best_of;
            if (samples && !o.method.use_plan && options.sampling.temperature == 0)
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
struct RevisionTotals {
    int64_t rows = 0, conditions = 0, met = 0;
    Cost cost;
    PlannerTokens tokens;
    int64_t iterations = 0;  // of searches, samples of best-of, else rounds
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
        const Json& paid = row.at("cost");
        Cost one = {.calls = paid.value("calls", int64_t{0}),
                    .input_tokens = paid.value("input_tokens", int64_t{0}),
                    .output_tokens = paid.value("output_tokens", int64_t{0}),
                    .seconds = paid.value("seconds", 0.0)};
        if (has_value(paid, "usd")) one.usd = paid["usd"].get<double>();
        cost.add(one);
        const Json& trace = row.at("trace");
        iterations += trace.contains("search") ? trace["search"].value("iterations", int64_t{0})
                                               : static_cast<int64_t>(trace.at("rounds").size());
        if (trace.contains("planner_tokens")) {
            tokens.computed += trace["planner_tokens"].value("computed", int64_t{0});
            tokens.plain += trace["planner_tokens"].value("plain", int64_t{0});
            tokens.generated += trace["planner_tokens"].value("generated", int64_t{0});
        }
        for (const auto& [name, count] : trace.value("counted", std::map<std::string, int64_t>())) counted[name] += count;
    }
};

// The rows of each domain by themselves: an input may have several.
class DomainTotals {
public:
    void add(const Json& row) {
        for (const std::string& domain : domains_of(row)) domains_[domain].add(row);
    }
    Json to_json() const {
        Json all = Json::object();
        for (const auto& [domain, t] : domains_)
            all[domain] = {{"rows", t.rows}, {"iterations", t.iterations}, {"cost", craft::to_json(t.cost)}};
        return all;
    }

private:
    // Keys of an input are carried through whatever they hold, and one that is called "domain" need not be one.
    static std::vector<std::string> domains_of(const Json& row) {
        try {
            return row_domains(row, "");
        } catch (const Error&) {
            return {};
        }
    }
    std::map<std::string, RevisionTotals> domains_;
};

Json to_json(const RevisionTotals& t) {
    return {
        {"rows", t.rows},
        {"status", t.status},
        {"iterations", t.iterations},
        {"conditions", t.conditions},
        {"met", t.met},
        {"cost", to_json(t.cost)},
        {"planner_tokens", {{"computed", t.tokens.computed}, {"plain", t.tokens.plain}, {"generated", t.tokens.generated}}},
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
class RevisionTexts {
public:
    RevisionTexts(const RevisionRunOptions& o, GivenPlans& plans)
        : plans_(plans), budgets_(o.tokens_of, o.lines), reader_(o.input, o.lines) {
        if (!o.tree.empty()) texts_of_.emplace();
    }
    std::optional<RevisionTask> next() {
        return next_fit(reader_, [&](const Json& row, const std::string& where) {
            RevisionTask task = revision_task(row, where, plans_, budgets_);
            if (texts_of_) task.of_id = ++(*texts_of_)[task.instruction.id];
            return task;
        });
    }
    int64_t bad_lines() const { return reader_.bad_lines(); }

private:
    GivenPlans& plans_;
    TokenBudgets budgets_;
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
Json revised_row(const RevisionTask& task, const RevisionRunOptions& options, const RevisionParts& parts,
                 const GivenPlans& plans) {
    const Instruction& instruction = task.instruction;
    MethodOptions method = options.method;
    method.tokens = task.tokens;
    const RevisionResult result = plans.empty()
                                      ? revise_text(instruction, parts.parts(), method)
                                      : revise_by_response(instruction, plans.of(instruction.id), parts.parts(), method);
    if (!options.tree.empty()) write_json_file(options.tree / tree_name(task), result.tree, -1);
    return output_row(task, result);
}

}  // namespace

void revise_file(const RevisionRunOptions& options, const Placement& place, uint64_t seed, const RunIdentity& identity,
                 bool overwrite, Ranks& ranks) {
    GivenPlans plans(options.plans, options.lines);
    KeptOutput kept(options.output, identity, overwrite, ranks);
    RevisionTexts texts(options, plans);
    RevisionParts parts(options, place, seed, kept.earlier_usage(), &ranks);
    if (!options.tree.empty()) ensure_folder(options.tree);
    const auto next = [&]() -> std::optional<RowMaker> {
        auto task = texts.next();
        if (!task) return std::nullopt;
        return [&, one = std::move(*task)] { return revised_row(one, options, parts, plans); };
    };
    JsonLinesWriter writer(own_output(options.output, ranks));
    RevisionTotals totals;
    DomainTotals domains;
    RowsOutput output{.told = "revised"};
    output.write = [&](const Json& row) {
        writer.write(row);
        totals.add(row);
        domains.add(row);
    };
    output.totals = [&] {
        if (plans.unused() > 0) log_warning(options.plans + ": plans whose ids match no text", {{"plans", plans.unused()}});
        return to_json(totals);
    };
    output.note = [&](OutputManifest& manifest) {
        manifest.note("versions", parts.versions());
        if (Json by_domain = domains.to_json(); !by_domain.empty()) manifest.note("by_domain", by_domain);
        if (texts.bad_lines() > 0) manifest.note("dropped", {{"bad line", texts.bad_lines()}});
        if (totals.rows > 0 && plans.unused() > 0) manifest.note("unused_plans", plans.unused());
    };
    output.flush = [&] { writer.flush(); };
    output.check = [&] {
        parts.asking().require_answers(totals.answers, rows_give_reasons(options.output), kept.rows.earlier());
    };
    output.close = [&] { writer.close(); };
    write_rows({"revising", "texts", 0, next}, parts.asking(), kept, output);
}

void revise_one(const RevisionRunOptions& options, const Placement& place, uint64_t seed) {
    RevisionParts parts(options, place, seed, nullptr, nullptr);
    Instruction task;
    task.id = "text";
    task.instruction = options.instruction;
    task.text = options.text;
    std::optional<RevisionResult> result;
    const auto revise = [&] {
        bool given = false;
        parts.asking().flow().run<Instruction, RevisionResult>(
            [&]() -> std::optional<Instruction> { return std::exchange(given, true) ? std::nullopt : std::optional(task); },
            [&](Instruction& one) { return revise_text(one, parts.parts(), options.method); },
            [&](Instruction&, RevisionResult& revised) { result = std::move(revised); });
        return true;
    };
    if (!parts.asking().ask(revise, [] {})) return;
    UsableAnswers answers;
    answers.add(result->problem());
    answers.require_any("answers", "see the warnings");
    print_for_people(*result);
}

}  // namespace craft
