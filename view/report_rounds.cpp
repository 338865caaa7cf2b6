#include "view/report_rounds.h"

#include <algorithm>
#include <map>
#include <set>

#include "view/record_fields.h"

namespace craft {

namespace {

// Numbers by name, a column each in a table of many such rows.
struct CountRow {
    std::string name;
    std::map<std::string, double> counts;
};

std::map<std::string, double> counts_in(const Json& object, const std::string& prefix = "") {
    std::map<std::string, double> counts;
    if (object.is_object())
        for (const auto& [name, value] : object.items())
            if (value.is_number()) counts[prefix + name] = value.get<double>();
    return counts;
}

// Those of `first` in their order, then all others in theirs.
std::vector<std::string> names_in(const std::vector<CountRow>& rows, std::vector<std::string> first = {}) {
    std::set<std::string> others;
    for (const CountRow& row : rows)
        for (const auto& [name, count] : row.counts)
            if (std::find(first.begin(), first.end(), name) == first.end()) others.insert(name);
    first.insert(first.end(), others.begin(), others.end());
    return first;
}

// A row a name, a column for each of `rows`: names are many, and long.
ReportTable counts_table(const std::string& caption, const std::string& corner, const std::vector<CountRow>& rows,
                         const std::vector<std::string>& first) {
    ReportTable table{caption, {corner}, {}};
    for (const CountRow& row : rows) table.columns.push_back(row.name);
    for (const std::string& name : names_in(rows, first)) {
        std::vector<std::string> cells = {name};
        for (const CountRow& row : rows) {
            const auto found = row.counts.find(name);
            cells.push_back(found == row.counts.end() ? "" : shown_number(found->second));
        }
        table.rows.push_back(std::move(cells));
    }
    return table;
}

ReportPlot counts_plot(const std::string& name, const std::string& title, const std::string& axis,
                       const std::vector<CountRow>& rows, const std::vector<std::string>& order) {
    ReportPlot plot{name, title, axis, "number", order, /*is_listed=*/true, /*is_from_zero=*/true};
    for (const CountRow& row : rows) {
        PlotSeries series{row.name, {}};
        for (size_t i = 0; i < order.size(); ++i)
            if (const auto found = row.counts.find(order[i]); found != row.counts.end())
                series.points.push_back({static_cast<double>(i), found->second});
        if (!series.points.empty()) plot.series.push_back(std::move(series));
    }
    return plot;
}

void add_counts(ReportSection& section, const std::string& caption, const std::string& corner,
                const std::vector<CountRow>& rows, const std::vector<std::string>& first = {}) {
    std::vector<CountRow> counted;
    std::copy_if(rows.begin(), rows.end(), std::back_inserter(counted),
                 [](const CountRow& row) { return !row.counts.empty(); });
    ReportTable table = counts_table(caption, corner, counted, first);
    if (!table.rows.empty()) section.parts.emplace_back(std::move(table));
}

std::string label_of(const std::vector<ReportRun>& runs, const ReportRun& run, const std::string& name) {
    return runs.size() == 1 || name == run.name ? name : run.name + ": " + name;
}

// The rounds of a run: its stages that have pairs, and rounds which are no stages yet.
std::vector<std::pair<std::string, const Json*>> rounds_of(const ReportRun& run) {
    std::vector<std::pair<std::string, const Json*>> rounds;
    std::set<std::string> met;
    for (const Json& stage : run.stages) {
        RecordFields fields(stage);
        const std::string name = fields.text("name").value_or("?");
        if (fields.number("pairs").value_or(0) == 0 && fields.object("dropped").empty()) continue;
        rounds.emplace_back(name, &stage);
        met.insert(name);
    }
    for (const NamedJson& round : run.rounds)
        if (!met.contains(round.name)) rounds.emplace_back(round.name, &round.content);
    return rounds;
}

}  // namespace

ReportSection pairs_section(const std::vector<ReportRun>& runs) {
    ReportSection section{"pairs", "Pairs made and dropped"};
    std::vector<CountRow> made, sampled, noted;
    const auto add = [&](const std::string& name, const Json& round) {
        RecordFields fields(round);
        CountRow row{name, counts_in(fields.object("dropped"), "dropped: ")};
        const auto pairs = fields.number("pairs");
        row.counts["made"] = pairs ? *pairs : fields.number("rows").value_or(0);
        made.push_back(std::move(row));
        RecordFields responses(fields.object("sampled"));
        CountRow of_responses{name, counts_in(fields.object("sampled"))};
        of_responses.counts.merge(counts_in(responses.object("leniency"), "read leniently: "));
        of_responses.counts.merge(counts_in(fields.object("pairs_by_step"), "pairs at step "));
        sampled.push_back(std::move(of_responses));
        noted.push_back({name, counts_in(fields.object("counted"))});
    };
    for (const ReportRun& run : runs) {
        for (const auto& [name, round] : rounds_of(run)) add(label_of(runs, run, name), *round);
        for (const NamedJson& manifest : run.manifests) {
            RecordFields fields(manifest.content);
            if (const Json& pairs = fields.object("pairs"); !pairs.empty())
                add(label_of(runs, run, fields.text("command").value_or(manifest.name)), pairs);
        }
    }
    const std::vector<std::string> order =
        names_in(made, made.empty() ? std::vector<std::string>{} : std::vector<std::string>{"made"});
    if (order.size() > 1)
        section.parts.emplace_back(
            counts_plot("pairs_by_reason", "Pairs made, and dropped by reason", "reason", made, order));
    add_counts(section, "Pairs (or groups) made, and dropped by reason", "Reason", made, order);
    add_counts(section, "Responses sampled for them", "Responses", sampled);
    add_counts(section, "What was noted of these responses", "Note", noted);
    return section;
}

ReportSection errors_section(const std::vector<ReportRun>& runs) {
    ReportSection section{"errors", "Errors of calls"};
    std::vector<CountRow> whole, kinds, reading;
    std::vector<std::string> order;
    for (const ReportRun& run : runs) {
        for (const NamedJson& evaluation : run.evaluations) {
            RecordFields fields(evaluation.content);
            RecordFields corpus(fields.object("corpus"));
            const Json& errors = corpus.object("call_errors");
            for (const auto& [kind, count] : errors.items())  // the file's order is that of the kinds
                if (std::find(order.begin(), order.end(), kind) == order.end()) order.push_back(kind);
            const std::string file = label_of(runs, run, evaluation.name);
            whole.push_back({file, counts_in(errors)});
            kinds.push_back(whole.back());
            for (const auto& [domain, figures] : corpus.object("by_domain").items()) {
                RecordFields of(figures);
                kinds.push_back({file + ", " + domain, counts_in(of.object("call_errors"))});
            }
        }
        for (const Json& stage : run.stages) {
            RecordFields fields(stage);
            CountRow row{label_of(runs, run, fields.text("name").value_or("?")),
                         counts_in(fields.object("leniency"), "read leniently: ")};
            for (const char* name : {"unusable_calls", "unfinished"})
                if (const auto count = fields.number(name)) row.counts[name] = *count;
            reading.push_back(std::move(row));
        }
    }
    if (!order.empty())
        section.parts.emplace_back(counts_plot("call_errors", "Errors of calls by kind", "kind", whole, order));
    add_counts(section, "Errors of calls by kind and domain", "Kind", kinds, order);
    add_counts(section, "How the responses of each stage were read", "Responses", reading);
    return section;
}

}  // namespace craft
