#include "simplify/run/simplified_texts.h"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "core/error.h"
#include "core/log.h"
#include "core/option_files.h"
#include "data/revised_text.h"
#include "simplify/feedback_counts.h"
#include "text/words.h"

namespace craft {

std::string rules_name(const std::string& system) {
    constexpr std::string_view kRules = "rules:";
    return system.starts_with(kRules) ? system.substr(kRules.size()) : "";
}

Simplifiers::Simplifiers(const SimplifyOptions& o, const std::string& role, const EnglishModel& english,
                         const PlacementOptions& placing, uint64_t seed, AskingRun& asking)
    : prompts_(o.prompts) {
    const auto has_rule = [&](const char* system) {
        return std::find(o.systems.begin(), o.systems.end(), system) != o.systems.end();
    };
    const RuleResources rules = has_rule("rules:lexical") || has_rule("rules:rewrite")
                                    ? RuleResources::with_easier_words(english.pipeline)
                                    : RuleResources{english.pipeline, {}, {}};
    if (o.feedback.is_on()) feedback_.emplace(o.feedback, o.english, o.policy, prompts_, placing, seed, asking);
    for (size_t i = 0; i < o.systems.size(); ++i) {
        const std::string& system = o.systems[i];
        if (const std::string rule = rules_name(system); !rule.empty())
            made_.push_back(make_rule_system(rule, rules));
        else
            made_.push_back(of_model(o, system, asking.open(o.specs[i], role)));
    }
    for (const auto& one : made_) all_.push_back(one.get());
}

std::unique_ptr<TextSimplifier> Simplifiers::of_model(const SimplifyOptions& o, const std::string& name,
                                                      System& system) const {
    if (!feedback_) return std::make_unique<ModelSimplifier>(name, system, prompts_, o.policy, o.model);
    return std::make_unique<FeedbackRounds>(name, system, prompts_, o.policy, o.model, feedback_->judges(),
                                            feedback_->rounds());
}

namespace {

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
class SimplifiedFiles {
public:
    // `trace`: the file of SimplifiedRow::trace; empty: none.
    SimplifiedFiles(const std::string& output, const std::string& trace,
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
    void flush() { writer_.flush(); }
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

}  // namespace

void simplify_texts(const SimplifyOptions& options, const SimplifiedRows& rows, const EnglishModel& english,
                    const PlacementOptions& placing, const RunIdentity& identity, bool overwrite) {
    SimplifyTotals totals;
    totals.has_feedback = options.feedback.is_on();
    KeptOutput kept(options.output, identity, overwrite);
    const std::vector<SimplificationTask> tasks = read_tasks(options, totals);
    AskingRun asking(options.asked, options.flow, open_placement(placing), identity.seed, kept.earlier_usage());
    const Simplifiers simplifiers(options, rows.role, english, placing, identity.seed, asking);
    const auto row = [&](size_t item) {
        return to_json(collect_candidates(tasks[item], options.policy, simplifiers.all()));
    };
    SimplifiedFiles files(options.output, options.feedback.trace, rows.row_of, totals);
    const std::string where = partial_path(options.output).string();
    RowsOutput output{.told = "simplified"};
    output.write = [&](const Json& made) { files.write(collected_from_json(made, where)); };
    output.totals = [&] { return totals.to_json(); };
    output.note = [&](OutputManifest& manifest) {
        if (simplifiers.feedback() != nullptr) manifest.note("feedback", simplifiers.feedback()->record());
        manifest.note("versions", {{"prompts", simplifiers.versions()}});
        if (totals.bad_lines > 0) manifest.note("dropped", {{"bad line", totals.bad_lines}});
    };
    output.flush = [&] { files.flush(); };
    output.check = [&] {
        if (totals.has_feedback && totals.feedback.reports() == 0)
            log_warning("the judge reported on no text: all of them are the model's first answers");
        asking.require_answers({}, rows_give_reasons(options.output), kept.rows.earlier());
        totals.systems.require_answers(rows_give_reasons(options.output));
        if (totals.rows == 0) throw Error(options.input, "texts with an answer", "none" + dropped_note(totals.dropped));
    };
    output.close = [&] { files.close(); };
    write_rows(asked_rows("simplifying", "texts", tasks.size(), row), asking, kept, output);
}

}  // namespace craft
