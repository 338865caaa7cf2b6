#include "cli/simplify_texts.h"

#include <algorithm>
#include <set>

#include "cli/asked_rows.h"
#include "cli/english_options.h"
#include "cli/option_groups.h"
#include "cli/output_manifest.h"
#include "cli/simplifiers.h"
#include "core/error.h"
#include "core/option_files.h"
#include "data/revised_text.h"
#include "simplify/feedback_counts.h"
#include "simplify/rule_systems.h"
#include "text/words.h"

namespace craft {

void bind_simplify(OptionTable& table, SimplifyOptions& o, const std::vector<const char*>& roles) {
    const auto data = table.group(kDataGroup);
    table.add("input", o.input, "texts: {\"id\",\"text\"} a line, - for stdin; other keys are ignored")
        .flag("--input")
        .input()
        .required();
    table.add("output", o.output, "a line each, - for stdout")
        .flag("--output")
        .output()
        .resumed()
        .with_manifest()
        .required();
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
    bind_role_systems(table, o.asked, roles);
    bind_english(table, o.english).not_identity();  // what it leads to is a fact of the run
    table.add("flow.items", o.flow.items_at_once, "texts worked on side by side").min(1).max(10000).not_identity();
    bind_json_lines(table, o.lines);
}

namespace {

void check_system(OptionTable& table, const char* key, const std::string& system, std::vector<SystemSpec>& specs) {
    SystemSpec spec;
    std::vector<std::string> known;
    for (const std::string& name : rule_system_names()) known.push_back("rules:" + name);
    if (system != "rules" && !system.starts_with("rules:"))
        parse_role(table, key, system, spec);
    else if (std::find(known.begin(), known.end(), system) == known.end())
        table.add_problem(table.at(key).shown_name() + ": " + expected_one_of(known, system));
    else
        table.at(key).reads({});
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

// What is written of texts, and counted.
class SimplifiedRows {
public:
    // `trace`: the file of SimplifiedRow::trace; empty: none.
    SimplifiedRows(const std::string& output, const std::string& trace,
                   const std::function<SimplifiedRow(const CollectedCandidates&)>& row_of, SimplifyTotals& totals)
        : row_of_(row_of), totals_(totals), writer_(output) {
        if (!trace.empty()) tracer_.emplace(trace);
    }
    void write(const CollectedCandidates& collected) {
        const SimplifiedRow row = row_of_(collected);
        totals_.add(collected, row);
        if (row.row) writer_.write(*row.row);
        if (tracer_ && !row.trace.is_null()) tracer_->write(row.trace);
    }
    void close() {
        if (tracer_) tracer_->close();
        writer_.close();
    }

private:
    const std::function<SimplifiedRow(const CollectedCandidates&)>& row_of_;
    SimplifyTotals& totals_;
    JsonLinesWriter writer_;
    std::optional<JsonLinesWriter> tracer_;
};

bool needs_english(const SimplifyOptions& o) {
    return std::any_of(o.systems.begin(), o.systems.end(), [](const std::string& system) {
        return system.starts_with("rules:") && rules_name(system) != "copy";
    });
}

}  // namespace

void check_simplify(OptionTable& table, SimplifyOptions& o, const char* key) {
    o.specs.clear();
    std::set<std::string> once;
    for (const std::string& system : o.systems) {
        check_system(table, key, system, o.specs);
        if (!once.insert(system).second)
            table.add_problem(table.at(key).shown_name() + ": expected each once, got '" + system + "' again");
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
    const RunIdentity identity = rows_identity(command, table, common, open_placement(common));
    PartialRows partial(options.output, identity, common.overwrite);
    OutputManifest manifest(options.output, identity, partial.earlier() > 0);
    const std::vector<SimplificationTask> tasks = read_tasks(options, totals);
    AskingRun asking(options.asked, options.flow, common, manifest.earlier().value("usage", Json()));
    const Simplifiers simplifiers(options, role, english, common, asking);
    if (simplifiers.feedback() != nullptr) manifest.note("feedback", simplifiers.feedback()->record());
    const auto write_manifest = [&](bool finished) {
        manifest.note("versions", {{"prompts", simplifiers.versions()}});
        manifest.note("usage", asking.systems().usage());
        if (totals.bad_lines > 0) manifest.note("dropped", {{"bad line", totals.bad_lines}});
        manifest.write(finished);
    };
    const auto row = [&](size_t item) {
        return to_json(collect_candidates(tasks[item], options.policy, simplifiers.all()));
    };
    SimplifiedRows rows(options.output, options.feedback.trace, row_of, totals);
    const std::string where = partial_path(options.output).string();
    const auto write = [&](const Json& made) { rows.write(collected_from_json(made, where)); };
    const auto kept = [&] { write_manifest(false); };
    if (!make_rows(asked_rows("simplifying", "texts", tasks.size(), row), asking, partial, kept, write)) return 0;
    if (!partial.keeps()) rows.close();  // whatever came of the rows
    manifest.note("simplified", totals.to_json());
    write_manifest(false);
    log_info("simplified", totals.to_json());
    if (totals.has_feedback && totals.feedback.reports() == 0)
        log_warning("the judge reported on no text: all of them are the model's first answers");
    partial.check([&] {
        asking.require_answers({}, rows_say_why(options.output), partial.earlier());
        totals.systems.require_answers(rows_say_why(options.output));
        if (totals.rows == 0) throw Error(options.input, "texts with an answer", "none" + dropped_note(totals.dropped));
    });
    rows.close();
    write_manifest(true);
    partial.remove();
    return 0;
}

}  // namespace craft
