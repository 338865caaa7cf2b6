// `gec traces`: what the agent does with sentences whose correction is known, as data to train on: conversations for `sft`,
// pairs for `align --pairs`.
#include "cli/asked_rows.h"
#include "cli/command.h"
#include "cli/common.h"
#include "cli/gec_options.h"
#include "cli/option_groups.h"
#include "cli/output_manifest.h"
#include "core/error.h"
#include "data/pair_file.h"
#include "data/sentence_pair.h"
#include "gec/correction_counts.h"
#include "gec/trace_conversation.h"
#include "gec/training_rows.h"

namespace craft {

namespace {

int run_gec_traces(int argc, const char* const* argv);

const Command kGecTracesCommand = {
    "gec traces",
    CommandGroup::make_data,
    "traces of the grammar agent that help, as conversations and pairs to train on",
    "craft-train gec traces --input share/examples/learners.m2 --output traces.jsonl --model gold --tools none",
    run_gec_traces,
    Work::generation};

struct TracesOptions {
    GecOptions gec;
    std::string pairs, scratchpads;
    int64_t samples = 1;
    TraceForm form = TraceForm::react;
    TrainingRowOptions rows;
};

void bind_traces(OptionTable& table, TracesOptions& o) {
    const auto data = table.group(kDataGroup);
    table
        .add("input", o.gec.input,
             "sentences and their corrections: {\"id\",\"source\",\"target\"} a line, an .m2 file, or a .tsv of two columns")
        .flag("--input")
        .input()
        .required();
    o.gec.may_be_taught = true;
    bind_gec(table, o.gec);
    table
        .add("mistakes", o.gec.teaching.mistakes,
             "of --model gold: share of the sentences in which it makes a wrong change first and withdraws it")
        .flag("--mistakes")
        .min(0)
        .max(1)
        .needs({"model", {"gold"}})
        .excludes("no_reflection", "nothing could be withdrawn");
    table
        .add("observed_only", o.gec.teaching.observed_only,
             "of --model gold: it makes only the corrections that error_parsing suggests; a sentence with none of them is "
             "left out unless it is correct")
        .flag("--observed-only")
        .needs({"model", {"gold"}})
        .needs({"tools", {"all", "error_parsing"}});
    table.add("pairs", o.pairs, "file of preference pairs, JSON Lines or .h5; empty: none are made")
        .flag("--pairs")
        .output()
        .resumed()
        .needs(OptionState::at_least("samples", 2));
    table.add("scratchpads", o.scratchpads, "file of all traces with their scores; empty: none")
        .flag("--scratchpads")
        .output()
        .resumed();
    table.add("samples", o.samples, "traces of a sentence, of which the best is kept").flag("--samples").min(1).max(1000);
    table.at("model").excludes(OptionState::at_least("samples", 2), "traces of gold are all the same").when({"gold"});
    table
        .add_enum(
            "form", o.form,
            {{"react", TraceForm::react}, {"tool_calls", TraceForm::tool_calls}, {"direct", TraceForm::direct}},
            "react: the messages that the agent asks with; tool_calls: actions as calls, with schemas of tools; direct: "
            "no steps, the corrected sentence as --method zero_shot asks for it")
        .flag("--form");
    table
        .add_enum("worth", o.rows.worth, {{"f0.5", CorrectionWorth::f05}, {"gleu", CorrectionWorth::gleu}},
                  "what a trace is worth: the F0.5 of its edits, or the sentence's GLEU")
        .flag("--worth");
    table.add("penalty", o.rows.penalty, "taken off a trace's worth for each edit that gold does not have").min(0);
    table.add("min_gap", o.rows.min_gap, "between the scores of a pair's sides").flag("--min-gap").min(0);
}

void check_traces(OptionTable& table, TracesOptions& o) {
    check_gec(table, o.gec);
    if (o.samples > 1 && !is_taught(o.gec) && o.gec.agent.sampling.temperature == 0)
        table.add_problem("--samples: expected --temperature above 0 beside it: greedy traces are all the same");
}

// What rows of traces come to.
class TraceFiles {
public:
    TraceFiles(const TracesOptions& o, TraceConversation conversation_of)
        : options_(o), conversation_of_(std::move(conversation_of)), conversations_(o.gec.output) {
        if (!o.pairs.empty()) pairs_.emplace(o.pairs);
        if (!o.scratchpads.empty()) scratchpads_.emplace(o.scratchpads);
    }
    void add(const Json& row, const std::string& where) {
        const std::string id = string_field(row, "id", where), gold = string_field(row, "target", where);
        std::vector<AgentTrace> traces;
        for (const Json& one : row.at("traces")) traces.push_back(agent_trace_from_json(one, where));
        const TrainingRows made = training_rows(id, gold, traces, conversation_of_, options_.rows);
        value_ += made.value;
        source_value_ += made.source_value;
        ++sentences_;
        if (made.conversation) {
            Json out = {{"id", id}, {"messages", made.conversation->messages}};
            if (!made.conversation->tools.is_null()) out["tools"] = made.conversation->tools;
            conversations_.write(out);
            ++kept_;
        } else {
            ++no_conversation_[made.no_conversation];
        }
        if (pairs_ && made.pair) {
            pairs_->write(*made.pair);
            ++paired_;
        } else if (pairs_) {
            ++no_pair_[made.no_pair];
        }
        if (scratchpads_) scratchpads_->write(row);
        for (const AgentTrace& trace : traces) {
            if (trace.not_asked.empty()) answers_.add(trace.failure);
            counts_.add({.id = id, .source = trace.source, .text = trace.text, .sentences = {trace}});
        }
    }
    void close() {
        conversations_.close();
        if (pairs_) pairs_->close();
        if (scratchpads_) scratchpads_->close();
    }
    Json to_json() const {
        const double n = sentences_ > 0 ? static_cast<double>(sentences_) : 1;
        Json told = {{"sentences", sentences_},
                     {"conversations", kept_},
                     {"no_conversation", no_conversation_},
                     {"best_value", value_ / n},
                     {"source_value", source_value_ / n},
                     {"traces", counts_.to_json()}};
        if (pairs_) {
            told["pairs"] = paired_;
            told["no_pair"] = no_pair_;
        }
        return told;
    }
    int64_t kept() const { return kept_ + paired_; }
    const UsableAnswers& answers() const { return answers_; }

private:
    const TracesOptions& options_;
    TraceConversation conversation_of_;
    JsonLinesWriter conversations_;
    std::optional<PairWriter> pairs_;
    std::optional<JsonLinesWriter> scratchpads_;
    CorrectionCounts counts_;
    UsableAnswers answers_;
    int64_t sentences_ = 0, kept_ = 0, paired_ = 0;
    double value_ = 0, source_value_ = 0;
    std::map<std::string, int64_t> no_conversation_, no_pair_;
};

TraceConversation conversation_maker(TraceForm form, const GecCorrector& corrector) {
    if (form != TraceForm::direct)
        return [form, &corrector](const AgentTrace& trace) { return trace_conversation(trace, corrector.prompt(), form); };
    return [wordings = WordingTable::load(corrector.prompts().path("gec.direct.json"))](const AgentTrace& trace) {
        return direct_conversation(trace, wordings);
    };
}

int run_gec_traces(int argc, const char* const* argv) {
    CommonOptions common;
    TracesOptions options;
    OptionTable table;
    bind_traces(table, options);
    if (!parse_command(kGecTracesCommand, table, common, argc, argv, [&](OptionTable& t) { check_traces(t, options); }))
        return 0;
    GecOptions& gec = options.gec;
    gec.teaching.seed = common.seed;
    const RunIdentity identity = rows_identity(kGecTracesCommand, table, common, open_placement(common), /*by_parts=*/true);
    PartialRows rows(gec.output, identity, common.overwrite);
    OutputManifest manifest(gec.output, identity, rows.earlier() > 0);
    int64_t empty = 0, bad_lines = 0;
    JsonLinesOptions lines = gec.lines;
    lines.bad_lines = &bad_lines;
    const std::vector<SentencePair> pairs = read_sentence_pairs(gec.input, &empty, lines);
    AskingRun asking(gec.asked, gec.flow, common, manifest.earlier().value("usage", Json()));
    std::map<std::string, std::string> gold;
    for (const SentencePair& pair : pairs) gold.emplace(pair.source, pair.target);
    const GecCorrector corrector(gec, common, asking, gold);
    const auto write_manifest = [&](bool finished) {
        manifest.note("versions", {{"prompts", corrector.versions()}});
        manifest.note("usage", asking.systems().usage());
        if (const Json figures = corrector.tool_figures(); !figures.is_null()) manifest.note("tools", figures);
        Json dropped = Json::object();
        if (empty > 0) dropped["empty"] = empty;
        if (bad_lines > 0) dropped["bad line"] = bad_lines;
        if (!dropped.empty()) manifest.note("dropped", dropped);
        manifest.write(finished);
    };
    const auto row = [&](size_t item) {
        const SentencePair& pair = pairs[item];
        Json made = {{"id", pair.id}, {"target", pair.target}, {"traces", Json::array()}};
        for (int64_t sample = 0; sample < options.samples; ++sample)
            made["traces"].push_back(to_json(corrector.correct(pair.source, item, static_cast<uint64_t>(sample))));
        return made;
    };
    TraceFiles files(options, conversation_maker(options.form, corrector));
    const auto write = [&](const Json& made) { files.add(made, gec.output); };
    const auto kept = [&] { write_manifest(false); };
    if (!make_rows(asked_rows("tracing", "sentences", pairs.size(), row), asking, rows, kept, write)) return 0;
    manifest.note("traced", files.to_json());
    write_manifest(false);
    log_info("traced", files.to_json());
    rows.check([&] { asking.require_answers(files.answers(), rows_say_why(gec.output), rows.earlier()); });
    files.close();
    write_manifest(true);
    rows.remove();
    if (files.kept() == 0) log_warning("nothing to train on: no trace was better than its sentence");
    return 0;
}

}  // namespace

Command gec_traces_command() {
    return kGecTracesCommand;
}

}  // namespace craft
