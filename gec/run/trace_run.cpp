#include "gec/run/trace_run.h"

#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "core/log.h"
#include "data/pair_file.h"
#include "data/sentence_pair.h"
#include "gec/correction_counts.h"

namespace craft {

namespace {

// What rows of traces come to.
class TraceFiles {
public:
    TraceFiles(const TraceRunOptions& o, TraceConversation conversation_of)
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
    void flush() { conversations_.flush(); }
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
    const TraceRunOptions& options_;
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

}  // namespace

void make_traces(const TraceRunOptions& options, const PlacementOptions& placing, uint64_t seed, const RunIdentity& identity,
                 bool overwrite) {
    const GecOptions& gec = options.gec;
    KeptOutput kept(gec.output, identity, overwrite);
    int64_t empty = 0, bad_lines = 0;
    JsonLinesOptions lines = gec.lines;
    lines.bad_lines = &bad_lines;
    const std::vector<SentencePair> pairs = read_sentence_pairs(gec.input, &empty, lines);
    AskingRun asking(gec.asked, gec.flow, open_placement(placing), seed, kept.earlier_usage());
    std::map<std::string, std::string> gold;
    for (const SentencePair& pair : pairs) gold.emplace(pair.source, pair.target);
    const GecCorrector corrector(gec, placing, asking, gold);
    const auto row = [&](size_t item) {
        const SentencePair& pair = pairs[item];
        Json made = {{"id", pair.id}, {"target", pair.target}, {"traces", Json::array()}};
        for (int64_t sample = 0; sample < options.samples; ++sample)
            made["traces"].push_back(to_json(corrector.correct(pair.source, item, static_cast<uint64_t>(sample))));
        return made;
    };
    TraceFiles files(options, conversation_maker(options.form, corrector));
    RowsOutput output{.told = "traced"};
    output.write = [&](const Json& made) { files.add(made, gec.output); };
    output.totals = [&] { return files.to_json(); };
    output.note = [&](OutputManifest& manifest) {
        corrector.note(manifest);
        Json dropped = Json::object();
        if (empty > 0) dropped["empty"] = empty;
        if (bad_lines > 0) dropped["bad line"] = bad_lines;
        if (!dropped.empty()) manifest.note("dropped", dropped);
    };
    output.flush = [&] { files.flush(); };
    output.check = [&] { asking.require_answers(files.answers(), rows_give_reasons(gec.output), kept.rows.earlier()); };
    output.close = [&] { files.close(); };
    const bool all = write_rows(asked_rows("tracing", "sentences", pairs.size(), row), asking, kept, output);
    if (all && files.kept() == 0) log_warning("nothing to train on: no trace was better than its sentence");
}

}  // namespace craft
