#include "eval/results/table_layouts.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "core/utf8.h"
#include "eval/results/cost_table.h"
#include "eval/results/eval_result.h"
#include "eval/results/figure_commands.h"
#include "eval/results/round_figure.h"
#include "metrics/registry.h"
#include "text/lists.h"

namespace craft {

namespace {

struct Column {
    std::string title;
    std::string figure;                // its key in a result's `corpus`; "criteria.fluency.wins" lies deeper
    std::vector<std::string> domains;  // whose mean it is; empty: results say nothing of domains
    double scale = 1;
    bool is_count = false;      // of cases: shown without decimals unless a mean over runs has some
    bool needs_domain = false;  // a file that does not say its domain is none of this column
};

const std::vector<std::string> kConstrained = {"c1", "c2", "c3", "c4"};

void add_by_domain(std::vector<Column>& columns, const std::string& figure, const std::vector<std::string>& domains) {
    for (const std::string& domain : domains)
        columns.push_back({"C" + domain.substr(1), figure, {domain}, 100, false, true});
}

void add_quality(std::vector<Column>& columns, const std::vector<std::string>& domains) {
    columns.push_back({"PPL", "perplexity", domains});
    columns.push_back({"SOME", "some", domains, 100});
    columns.push_back({"BARTScore", "bartscore", domains});
}

// The four columns of one kind of easy constraints.
void add_easy(std::vector<Column>& columns, const std::string& title, const std::string& kind) {
    const size_t first = columns.size();
    columns.push_back({"Acc.", "accuracy", {kind}, 100});
    add_quality(columns, {kind});
    for (size_t i = first; i < columns.size(); ++i) {
        columns[i].title = title + " " + columns[i].title;
        columns[i].needs_domain = true;
    }
}

std::vector<Column> columns_of(TableLayout layout) {
    std::vector<Column> columns;
    switch (layout) {
        case TableLayout::t1:
            add_quality(columns, {"c0", "c1", "c2", "c3", "c4"});
            break;
        case TableLayout::t3:
            add_by_domain(columns, "accuracy", kConstrained);
            add_quality(columns, kConstrained);
            break;
        case TableLayout::t4:
        case TableLayout::t6:
            add_quality(columns, {"c0"});
            break;
        case TableLayout::t5:
            columns = {{"F", "fluency", {}}, {"C", "coherence", {}}, {"G", "grammaticality", {}}};
            for (const auto& [title, criterion] : {std::pair{"F", "fluency"}, {"C", "coherence"}, {"G", "grammaticality"}})
                columns.push_back(
                    {std::string(title) + " # Cases", std::string("criteria.") + criterion + ".wins", {}, 1, true});
            break;
        case TableLayout::e5:
            columns = {{"Fluency", "fluency", {}},
                       {"Coherence", "coherence", {}},
                       {"Consistency", "consistency", {}},
                       {"Semantics", "semantics", {}},
                       {"Grammaticality", "grammaticality", {}},
                       {"Over-correction", "overcorrection", {}}};
            break;
        case TableLayout::t9:
            add_easy(columns, "Style", "style");
            add_easy(columns, "Semantic", "semantic");
            break;
        case TableLayout::t2:
        case TableLayout::t7:
            add_by_domain(columns, "accuracy", kConstrained);
            break;
        case TableLayout::t8:
            columns.push_back({"AvgCE", "errors", {}});
            add_quality(columns, {});
            break;
        case TableLayout::t10:
            columns = {{"NE_ER", "ne_er", {}, 100}, {"Entail", "entailed", {}, 100}};
            break;
        case TableLayout::f8:
            add_by_domain(columns, "f1", {"c0", "c1", "c2", "c3", "c4"});
            break;
        case TableLayout::t11:
        case TableLayout::t12:
        case TableLayout::t13:
        case TableLayout::f3:
            break;  // which have no row a system
    }
    return columns;
}

// The figure under a key, whose dots lead into objects.
std::optional<double> number_at(const Json& object, const std::string& key, const std::string& where) {
    if (!object.is_object()) return std::nullopt;
    const size_t dot = key.find('.');
    if (dot == std::string::npos) return figure_at(object, key, where);
    const auto inner = object.find(key.substr(0, dot));
    return inner == object.end() ? std::nullopt : number_at(*inner, key.substr(dot + 1), where + "." + key.substr(0, dot));
}

// What comes after the last colon of a system's name and means a domain.
bool is_domain(const std::string& name) {
    return name == "style" || name == "semantic" || (name.size() == 2 && name[0] == 'c' && name[1] >= '0' && name[1] <= '4');
}

// Whether the key is there, be it with null: the file then belongs to the layout, and its cell is empty.
bool has_key(const Json& object, const std::string& key) {
    const size_t dot = key.find('.');
    const auto inner = object.is_object() ? object.find(key.substr(0, dot)) : object.end();
    return object.is_object() && inner != object.end() && (dot == std::string::npos || has_key(*inner, key.substr(dot + 1)));
}

// "c9", "C2": meant as a domain, and none.
bool looks_like_domain(const std::string& name) {
    return name.size() > 1 && (name[0] == 'c' || name[0] == 'C') &&
           std::all_of(name.begin() + 1, name.end(), [](char c) { return c >= '0' && c <= '9'; });
}

// A file's figures under a key, by domain, null ones as absent; under "" where nothing says the domain.
std::map<std::string, std::optional<double>> figures_of(const TableInput& input, const std::string& key) {
    std::map<std::string, std::optional<double>> figures;
    const Json& corpus = corpus_of(input);
    const std::string where = input.source.file + ": corpus";
    if (corpus.is_object() && has_value(corpus, "by_domain") && corpus.at("by_domain").is_object()) {
        for (const auto& [domain, mean] : corpus.at("by_domain").items()) {
            const auto figure = number_at(mean, key, where + ".by_domain." + domain);
            const bool is_asked = input.source.domain.empty() || input.source.domain == domain;
            if (is_asked && has_key(mean, key)) figures[domain] = figure;
        }
        return figures;
    }
    if (has_key(corpus, key)) figures[input.source.domain] = number_at(corpus, key, where);
    return figures;
}

struct RunMean {
    double sum = 0;
    int runs = 0;
    double value() const { return sum / runs; }
};

// What a column's cells are made of, and the one scorer of all of them.
class ColumnFigures {
public:
    explicit ColumnFigures(Column column) : column_(std::move(column)) {}

    const Column& column() const { return column_; }
    // Whether the file holds a figure for this column, or says that there is none.
    bool add(const TableInput& input) {
        bool any = false;
        for (const auto& [domain, figure] : figures_of(input, column_.figure)) {
            if (domain.empty() ? column_.needs_domain : !takes(domain)) continue;
            any = true;
            if (!figure) continue;
            if (column_.scale == 100 && (*figure < 0 || *figure > 1))
                throw Error(input.source.file + ": '" + column_.figure + "'", "a share from 0 to 1",
                            shortened(dump_line(*figure), 40));
            note_scorer(input);
            RunMean& mean = means_[input.source.system][domain];
            mean.sum += *figure;
            ++mean.runs;
        }
        return any;
    }

    std::optional<double> cell(const std::string& system) const {
        const auto found = means_.find(system);
        if (found == means_.end()) return std::nullopt;
        const auto& by_domain = found->second;
        const auto plain = by_domain.find("");
        if (plain != by_domain.end() && by_domain.size() == 1) return column_.scale * plain->second.value();
        std::string there;
        double sum = 0;
        for (const auto& [domain, mean] : by_domain) {
            there += (there.empty() ? "" : ", ") + (domain.empty() ? "one without a domain" : domain);
            sum += mean.value();
        }
        const size_t wanted = column_.domains.empty() ? by_domain.size() : column_.domains.size();
        if (plain != by_domain.end() || by_domain.size() != wanted)
            throw Error(column_.title + " of '" + system + "'", "figures of all its domains", there);
        return column_.scale * sum / static_cast<double>(by_domain.size());
    }

    // `cells` are the column's.
    TableColumn head(const std::vector<std::optional<double>>& cells) const {
        const bool is_integer = column_.is_count && std::all_of(cells.begin(), cells.end(), [](const auto& cell) {
                                    return !cell || *cell == std::floor(*cell);
                                });
        return {column_.title, !is_lower_better(column_.figure), is_integer ? 0 : -1};
    }

private:
    bool takes(const std::string& domain) const {
        return column_.domains.empty() ||
               std::find(column_.domains.begin(), column_.domains.end(), domain) != column_.domains.end();
    }
    void note_scorer(const TableInput& input) {
        const Json scorer = scorer_of(input.document, column_.figure);
        if (first_file_.empty()) {
            first_file_ = input.source.file;
            scorer_ = scorer;
        } else if (scorer != scorer_) {
            throw Error("column " + column_.title, "figures of one scorer",
                        shortened(dump_line(scorer_), 200) + " in " + first_file_ + ", " +
                            shortened(dump_line(scorer), 200) + " in " + input.source.file);
        }
    }

    Column column_;
    std::map<std::string, std::map<std::string, RunMean>> means_;  // by system, then domain
    Json scorer_;
    std::string first_file_;
};

void note_count(Table& table, const TableInput& input, const char* key, const char* what) {
    const auto count = number_at(corpus_of(input), key, input.source.file + ": corpus");
    if (count && *count > 0)
        table.notes.push_back(input.source.system + ": " + std::to_string(static_cast<int64_t>(*count)) + " " + what + " (" +
                              input.source.file + ")");
}

// CORD has the domains C0 to C4; of others no layout has a column.
void note_other_domains(Table& table, const TableInput& input) {
    const Json& corpus = corpus_of(input);
    if (!corpus.is_object() || !has_value(corpus, "by_domain") || !corpus.at("by_domain").is_object()) return;
    std::string others;
    for (const auto& [domain, mean] : corpus.at("by_domain").items())
        if (!is_domain(domain)) others += (others.empty() ? "" : ", ") + shortened(domain, 20);
    if (!others.empty())
        table.notes.push_back(input.source.system + ": domains without a column are skipped: " + shortened(others, 80) +
                              " (" + input.source.file + ")");
}

// What is to be done about a file without a figure of the layout.
std::string hint_for(TableLayout layout, const std::vector<ColumnFigures>& columns, const TableInput& input) {
    const Json& corpus = corpus_of(input);
    const bool says_none = input.source.domain.empty() && !has_key(corpus, "by_domain");
    std::vector<std::string> commands;
    for (const ColumnFigures& figures : columns) {
        const Column& column = figures.column();
        if (says_none && column.needs_domain && has_key(corpus, column.figure))
            return layout == TableLayout::t9 ? "NAME:style=FILE or NAME:semantic=FILE says of which constraints it is"
                                             : "NAME:c2=FILE says of which domain it is";
        const std::string command = command_of(layout, column.figure);
        const std::string name = command.substr(0, command.find(" --"));
        if (std::find(commands.begin(), commands.end(), name) == commands.end()) commands.push_back(name);
    }
    return "figures of this layout are made by " + join(commands, ", ");
}

// What systems have over the first one.
void add_gains(Table& table) {
    const size_t systems = table.rows.size();
    for (size_t i = 1; i < systems; ++i) {
        TableRow gain{systems == 2 ? "Gain" : "Gain of " + table.rows[i].name, {}, true};
        for (size_t column = 0; column < table.columns.size(); ++column) {
            const auto &base = table.rows[0].cells[column], &own = table.rows[i].cells[column];
            gain.cells.push_back(base && own ? std::optional(*own - *base) : std::nullopt);
        }
        table.rows.push_back(std::move(gain));
    }
}

}  // namespace

TableSource table_source(const std::string& written) {
    const size_t equals = written.find('=');
    TableSource source;
    if (equals != std::string::npos) {
        source.system = written.substr(0, equals);
        source.file = written.substr(equals + 1);
        const size_t colon = source.system.rfind(':');
        if (colon != std::string::npos && is_domain(source.system.substr(colon + 1))) {
            source.domain = source.system.substr(colon + 1);
            source.system.resize(colon);
        } else if (colon != std::string::npos && looks_like_domain(source.system.substr(colon + 1))) {
            throw Error("result", "a domain from c0 to c4 in NAME:c2=FILE", "'" + shortened(written, 80) + "'");
        }
    }
    if (source.system.empty() || source.file.empty())
        throw Error("result", "NAME=FILE or NAME:c2=FILE", "'" + shortened(written, 80) + "'");
    return source;
}

const Json& corpus_of(const TableInput& input) {
    const Json& document = input.document;
    const std::string& file = input.source.file;
    if (document.is_object() && has_value(document, "systems") && document.at("systems").is_object()) {
        const Json& systems = document.at("systems");
        std::vector<std::string> names;
        for (const auto& [name, system] : systems.items()) {
            if (name == input.source.system && system.is_object() && has_value(system, "corpus")) return system.at("corpus");
            names.push_back(name);
        }
        throw Error(file, "the system '" + input.source.system + "'", shortened(join(names, ", "), 200));
    }
    if (!document.is_object() || !has_value(document, "corpus"))
        throw Error(file, "a result of eval, which has a corpus", "none");
    return document.at("corpus");
}

Table make_table(TableLayout layout, const std::vector<TableInput>& inputs, const std::string& baseline) {
    if (layout == TableLayout::t11) return make_cost_table(inputs, baseline);
    if (layout == TableLayout::f3) return round_table(round_figures(inputs));
    std::vector<ColumnFigures> columns;
    for (Column& column : columns_of(layout)) columns.emplace_back(std::move(column));
    Table table;
    table.corner = "System";
    std::vector<std::string> systems;
    for (const TableInput& input : inputs) {
        bool any = false;
        for (ColumnFigures& column : columns) any = column.add(input) || any;
        if (!any) throw Error(input.source.file, "a figure of this layout", "none", hint_for(layout, columns, input));
        note_count(table, input, "missing", "items without an output are skipped");
        note_count(table, input, "failed_outputs", "texts whose revision failed are scored as they were");
        note_other_domains(table, input);
        if (std::find(systems.begin(), systems.end(), input.source.system) == systems.end())
            systems.push_back(input.source.system);
    }
    for (const std::string& system : systems) table.rows.push_back({system, {}});
    std::vector<std::string> commands;
    for (const ColumnFigures& column : columns) {
        commands.push_back(command_of(layout, column.column().figure));
        std::vector<std::optional<double>> cells;
        for (const std::string& system : systems) cells.push_back(column.cell(system));
        table.columns.push_back(column.head(cells));
        for (size_t row = 0; row < cells.size(); ++row) table.rows[row].cells.push_back(cells[row]);
    }
    if (layout == TableLayout::t2) add_gains(table);
    note_empty_cells(table, commands);
    return table;
}

}  // namespace craft
