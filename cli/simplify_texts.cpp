#include "cli/simplify_texts.h"

#include <algorithm>
#include <set>

#include "cli/asking_run.h"
#include "cli/english_options.h"
#include "cli/model_memory.h"
#include "cli/output_manifest.h"
#include "cli/partial_rows.h"
#include "cli/simplifiers.h"
#include "core/error.h"
#include "core/option_files.h"
#include "core/progress.h"
#include "data/revised_text.h"
#include "simplify/feedback_counts.h"
#include "simplify/rule_systems.h"
#include "text/lists.h"
#include "text/words.h"

namespace craft {

namespace fs = std::filesystem;

void bind_simplify(OptionTable& table, SimplifyOptions& o) {
    table.add("input", o.input, "texts: {\"id\",\"text\"} a line, - for stdin; other keys are ignored")
        .flag("--input")
        .input()
        .required();
    table.add("output", o.output, "a line each, - for stdout").flag("--output").output().resumed().required();
    table
        .add_enum(
            "policy", o.policy, simplification_policies(),
            "lexical: easier words, the structure as it is; rewriting: whatever makes a sentence easier; document: the "
            "same of whole texts")
        .flag("--policy")
        .required();
    table.add("prompts", o.prompts, "folder of prompt files that come before those of share/prompts")
        .flag("--prompts")
        .input();
    table.add("shots", o.model.shots, "worked examples that a model is shown")
        .flag("--shots")
        .max(static_cast<double>(PolicyPrompt::kMostShots));
    table.add("sampling.temperature", o.model.sampling.temperature, "of a model's answers; 0: greedy")
        .flag("--temperature")
        .min(0);
    table.add("sampling.top_p", o.model.sampling.top_p, "mass of the tokens sampled from; 1: all").min(0.01).max(1);
    bind_new_tokens(table, "sampling.max_new_tokens", o.model.sampling.max_new_tokens, "of an answer, thinking included")
        .flag("--max-new-tokens");
    bind_role_systems(table, o.asked);
    bind_english(table, o.english).not_identity();  // what it leads to is a fact of the run
    table.add("flow.items", o.flow.items_at_once, "texts worked on side by side").min(1).max(10000).not_identity();
    bind_json_lines(table, o.lines);
}

namespace {

bool is_known_rule(const std::string& name) {
    const std::vector<std::string>& known = rule_system_names();
    return std::find(known.begin(), known.end(), name) != known.end();
}

void check_system(OptionTable& table, const char* key, const std::string& system, std::vector<SystemSpec>& specs) {
    const std::string shown = table.find(key)->shown_name();
    SystemSpec spec;
    if (system == "rules" || (system.starts_with("rules:") && !is_known_rule(rules_name(system))))
        table.add_problem(shown + ": expected rules:" + join(rule_system_names(), ", rules:") + ", got '" + system + "'");
    else if (!system.starts_with("rules:"))
        parse_role(table, key, system, spec);
    specs.push_back(std::move(spec));
}

// What comes of rows, whoever made them: read off what was kept.
struct SimplifyTotals {
    int64_t texts = 0, rows = 0, bad_lines = 0;
    std::map<std::string, int64_t> dropped;
    SimplificationCounts systems;
    bool has_feedback = false;
    FeedbackCounts feedback;

    void add(const CollectedCandidates& collected, const SimplifiedRow& row) {
        ++texts;
        for (const auto& one : collected.all) {
            systems.add(one.system, one.made);
            if (has_feedback) feedback.add(one.made);
        }
        if (row.row)
            ++rows;
        else
            ++dropped[row.dropped];
    }
    Json to_json() const {
        Json told = {{"texts", texts}, {"rows", rows}, {"dropped", dropped}, {"systems", systems.to_json()}};
        if (has_feedback) told["feedback"] = feedback.to_json();
        return told;
    }
};

std::vector<SimplificationTask> read_tasks(const SimplifyOptions& o, SimplifyTotals& totals) {
    JsonLinesOptions lines = o.lines;
    lines.bad_lines = &totals.bad_lines;
    std::vector<SimplificationTask> tasks;
    uint64_t item = 0;
    for (const RevisedText& text : read_revised_texts(o.input, lines)) {
        const uint64_t number = item++;  // of all texts, so that --min-words changes no answer of the others
        const bool short_one = count_whitespace_words(text.text) < o.min_words;
        if (!short_one) {
            tasks.push_back({text.id, text.text, number});
            continue;
        }
        ++totals.texts;
        ++totals.dropped["too short"];
    }
    return tasks;
}

// Rows as they are made: kept beside --output until all are there, or written at once where that is no file.
class SimplifiedRows {
public:
    // `trace`: the file of SimplifiedRow::trace; empty: none.
    SimplifiedRows(const std::string& output, const std::string& trace, const RunIdentity& identity, bool overwrite,
                   const std::function<SimplifiedRow(const CollectedCandidates&)>& row_of, SimplifyTotals& totals)
        : output_(output), trace_(trace), row_of_(row_of), totals_(totals), partial_(output, identity, overwrite) {}
    int64_t earlier() const { return partial_.earlier(); }
    // Returns whether rows reached the disk, which they do now and then.
    bool add(const CollectedCandidates& collected) {
        if (!partial_.keeps()) return write(collected), false;
        partial_.add({to_json(collected)});
        return partial_.sync_now_and_then();
    }
    void keep() { partial_.sync(); }
    void close() {
        const std::string where = partial_path(output_).string();
        partial_.for_each([&](const Json& row) { write(collected_from_json(row, where)); });
        open();
        if (tracer_) tracer_->close();
        writer_->close();
        partial_.remove();
    }

private:
    void open() {
        if (writer_) return;
        writer_.emplace(output_);
        if (!trace_.empty()) tracer_.emplace(trace_);
    }
    void write(const CollectedCandidates& collected) {
        open();
        const SimplifiedRow row = row_of_(collected);
        totals_.add(collected, row);
        if (row.row) writer_->write(*row.row);
        if (tracer_ && !row.trace.is_null()) tracer_->write(row.trace);
    }

    std::string output_, trace_;
    const std::function<SimplifiedRow(const CollectedCandidates&)>& row_of_;
    SimplifyTotals& totals_;
    PartialRows partial_;
    std::optional<JsonLinesWriter> writer_, tracer_;
};

std::vector<fs::path> inputs_of(const SimplifyOptions& o) {
    std::vector<fs::path> inputs = {fs::is_regular_file(o.input) ? o.input : "-"};
    std::vector<fs::path> more = feedback_inputs(o.feedback);
    more.push_back(o.prompts);
    for (const SystemSpec& spec : o.specs) more.insert(more.end(), {spec.model, spec.adapter});
    for (const fs::path& path : more)
        if (!path.empty() && std::find(inputs.begin(), inputs.end(), path) == inputs.end()) inputs.push_back(path);
    return inputs;
}

bool needs_english(const SimplifyOptions& o) {
    return std::any_of(o.systems.begin(), o.systems.end(), [](const std::string& system) {
        return system.starts_with("rules:") && rules_name(system) != "copy";
    });
}

// What is left to do behind the rows that an earlier process made. Returns whether every text was answered.
bool answer_texts(const std::vector<SimplificationTask>& tasks, const SimplifyOptions& o, const Simplifiers& simplifiers,
                  AskingRun& asking, SimplifiedRows& rows, const std::function<void(bool)>& write_manifest) {
    auto next = static_cast<size_t>(rows.earlier());
    Progress progress("simplifying", static_cast<int64_t>(tasks.size()), "texts", rows.earlier());
    bool all = true;
    asking.run<const SimplificationTask*, CollectedCandidates>(
        [&] { return next < tasks.size() ? std::optional(&tasks[next++]) : std::nullopt; },
        [&](const SimplificationTask*& task) { return collect_candidates(*task, o.policy, simplifiers.all()); },
        [&](const SimplificationTask*&, std::optional<CollectedCandidates>& result) {
            all = all && result;
            if (!all) return;  // a run goes on behind the rows that stand in a line
            if (rows.add(*result)) write_manifest(false);
            progress.advance();
        },
        [&] {
            rows.keep();
            write_manifest(false);
        });
    progress.finish();
    return all;
}

}  // namespace

void check_simplify(OptionTable& table, SimplifyOptions& o, const char* key) {
    o.specs.clear();
    std::set<std::string> once;
    for (const std::string& system : o.systems) {
        check_system(table, key, system, o.specs);
        if (!once.insert(system).second)
            table.add_problem(table.find(key)->shown_name() + ": expected each once, got '" + system + "' again");
    }
    std::vector<SystemSpec> asked = o.specs;
    if (o.feedback.is_on() && o.feedback.spec.kind == CandidateJudgeSpec::Kind::system && !o.feedback.spec.text.empty())
        asked.push_back(o.feedback.spec.system);
    check_role_systems(table, o.asked, asked);
}

int simplify_texts(const Command& command, OptionTable& table, const CommonOptions& common, const SimplifyOptions& options,
                   const std::string& role, const std::function<SimplifiedRow(const CollectedCandidates&)>& row_of) {
    EnglishModel english;
    if (needs_english(options)) {
        english = find_english(options.english);
        if (english.pipeline == nullptr) throw Error("rules that read parses", "a model of English", "none", english.hint);
        table.add_fact("english", english.name);
    }
    SimplifyTotals totals;
    totals.has_feedback = options.feedback.is_on();
    const RunIdentity identity =
        run_identity(command, table, common, expect_models_fit(table, open_placement(common), inputs_of(options)));
    SimplifiedRows rows(options.output, options.feedback.trace, identity, common.overwrite, row_of, totals);
    OutputManifest manifest(options.output, identity, rows.earlier() > 0);
    const std::vector<SimplificationTask> tasks = read_tasks(options, totals);
    if (rows.earlier() > 0) log_info("going on where the command stopped", {{"rows", rows.earlier()}});
    AskingRun asking(options.asked, options.flow, common, manifest.earlier().value("usage", Json()));
    const Simplifiers simplifiers(options, role, english, common, asking);
    if (simplifiers.feedback() != nullptr) manifest.note("feedback", simplifiers.feedback()->record());
    const auto write_manifest = [&](bool finished) {
        manifest.note("versions", {{"prompts", simplifiers.versions()}});
        manifest.note("usage", asking.systems().usage());
        if (totals.bad_lines > 0) manifest.note("dropped", {{"bad line", totals.bad_lines}});
        manifest.write(finished);
    };
    const bool all = answer_texts(tasks, options, simplifiers, asking, rows, write_manifest);
    if (!all) {
        rows.keep();
        write_manifest(false);
    }
    asking.report(all);
    if (!all) return 0;
    rows.close();
    manifest.note("simplified", totals.to_json());
    write_manifest(false);
    log_info("simplified", totals.to_json());
    if (totals.has_feedback && totals.feedback.reports() == 0)
        log_warning("the judge reported on no text: all of them are the model's first answers");
    asking.require_answers({}, rows.earlier());
    totals.systems.require_answers(kRowsSayWhy);
    if (totals.rows == 0) throw Error(options.input, "texts with an answer", "none" + dropped_note(totals.dropped));
    write_manifest(true);
    return 0;
}

}  // namespace craft
