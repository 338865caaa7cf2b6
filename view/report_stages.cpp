#include "view/report_stages.h"

#include <algorithm>
#include <array>
#include <map>

#include "view/record_fields.h"

namespace craft {

namespace {

struct StageFigure {
    const char* key;
    const char* title;
    int digits;
};
constexpr std::array<StageFigure, 6> kStageFigures = {{{"tool_f1", "Tool F1", 3},
                                                       {"constraint_f1", "Constraint F1", 3},
                                                       {"exact_match", "Exact", 3},
                                                       {"s_c", "S_c", 3},
                                                       {"s_r", "S_r", 3},
                                                       {"s_a", "S_a", 1}}};
constexpr std::array<StageFigure, 3> kPlottedFigures = {
    {{"constraint_f1", "Constraint F1", 3}, {"tool_f1", "Tool F1", 3}, {"s_a", "S_a", 1}}};
constexpr size_t kMostCompared = 8;  // in one plot

std::string name_of(const Json& stage) {
    return RecordFields(stage).text("name").value_or("?");
}

std::string figure_cell(const Json& object, const StageFigure& figure) {
    const auto found = figure_in(object, figure.key);
    return found ? figure_text(*found, figure.digits) : "";
}

std::string count_cell(const Json& object, const char* name) {
    const auto count = RecordFields(object).number(name);
    return count ? figure_text(*count, 0) : "";
}

std::string dropped_cell(const Json& stage) {
    RecordFields fields(stage);
    const Json& dropped = fields.object("dropped");
    double sum = 0;
    for (const Json& count : dropped)
        if (count.is_number()) sum += count.get<double>();
    return figure_text(sum, 0);
}

ReportTable stage_table(const std::string& caption, const std::vector<std::pair<std::string, const Json*>>& rows) {
    ReportTable table{caption, {"Stage", "Instructions"}, {}};
    for (const StageFigure& figure : kStageFigures) table.columns.emplace_back(figure.title);
    for (const char* column : {"Pairs", "Dropped", "Seconds"}) table.columns.emplace_back(column);
    for (const auto& [name, stage] : rows) {
        std::vector<std::string> cells = {name, count_cell(*stage, "items")};
        for (const StageFigure& figure : kStageFigures) cells.push_back(figure_cell(*stage, figure));
        cells.push_back(count_cell(*stage, "pairs"));
        cells.push_back(dropped_cell(*stage));
        cells.push_back(count_cell(*stage, "seconds"));
        table.rows.push_back(std::move(cells));
    }
    return table;
}

ReportTable difference_table(const std::string& caption, const Json& differences) {
    ReportTable table{caption, {"Row less other", "Domains", "Figure", "Instructions", "Difference (95 %)"}, {}};
    for (const Json& one : differences) {
        RecordFields fields(one);
        std::string domains;
        for (const Json& domain : fields.list("domains")) domains += (domains.empty() ? "" : ", ") + shown_value(domain);
        const std::string rows = fields.text("row").value_or("?") + " less " + fields.text("other").value_or("?");
        for (const StageFigure& figure : kStageFigures) {
            RecordFields of(fields.object(figure.key));
            const auto difference = of.number("difference");
            if (!difference) continue;
            table.rows.push_back({rows, domains.empty() ? "all" : domains, figure.title, figure_text(of.number("items"), 0),
                                  figure_text(PlotPoint{0, *difference, interval_in(of.any("interval"))}, figure.digits)});
        }
    }
    return table;
}

void add_if_filled(ReportSection& section, ReportTable table) {
    if (!table.rows.empty()) section.parts.emplace_back(std::move(table));
}

// What policy-driven simplification measured, a row a system.
void add_policies(const ReportRun& run, ReportSection& section) {
    RecordFields fields(run.summary);
    for (const auto& [policy, systems] : fields.object("policies").items()) {
        ReportTable table{
            run.name + ": policy " + policy,
            {"System", "Follows the policy", "by the other judge", "SARI (ASSET)", "SARI (Turk)", "Splits", "Compression"},
            {}};
        if (!systems.is_object()) continue;
        for (const auto& [name, figures] : systems.items()) {
            RecordFields of(figures);
            std::vector<std::string> cells = {name};
            for (const char* key : {"follows", "follows_other_judge", "sari_asset", "sari_turk", "splits", "compression"})
                cells.push_back(figure_text(of.number(key), std::string(key).starts_with("sari") ? 1 : 3));
            table.rows.push_back(std::move(cells));
        }
        add_if_filled(section, std::move(table));
    }
}

void add_tables(const ReportRun& run, ReportSection& section) {
    RecordFields fields(run.summary);
    const std::string best = fields.text("best").value_or("");
    std::vector<std::pair<std::string, const Json*>> rows;
    for (const Json& stage : run.stages)
        rows.emplace_back(name_of(stage) + (name_of(stage) == best ? " (best)" : ""), &stage);
    if (!rows.empty())
        section.parts.emplace_back(stage_table(run.name + ": stages, on the dev set, with 95 % intervals", rows));
    add_if_filled(section, difference_table(run.name + ": paired differences of stages", fields.list("differences")));
    rows.clear();
    for (const auto& [name, stage] : fields.object("test").items()) rows.emplace_back(name, &stage);
    if (!rows.empty()) section.parts.emplace_back(stage_table(run.name + ": sealed test set", rows));
    add_if_filled(section,
                  difference_table(run.name + ": paired differences on the test set", fields.list("test_differences")));
    rows.clear();
    for (const auto& [name, stage] : fields.object("others").items()) rows.emplace_back(name, &stage);
    if (!rows.empty()) section.parts.emplace_back(stage_table(run.name + ": further sets, of the best planner", rows));
    add_policies(run, section);
}

// Stages of all runs in the order in which they come first.
std::vector<std::string> stage_names(const std::vector<ReportRun>& runs) {
    std::vector<std::string> names;
    for (const ReportRun& run : runs)
        for (const Json& stage : run.stages)
            if (std::find(names.begin(), names.end(), name_of(stage)) == names.end()) names.push_back(name_of(stage));
    return names;
}

void add_plot(ReportPlot plot, ReportSection& section) {
    std::erase_if(plot.series, [](const PlotSeries& series) { return series.points.empty(); });
    if (!plot.series.empty()) section.parts.emplace_back(std::move(plot));
}

// The stages that are compared by domain and by shape, and what they are called.
std::vector<std::pair<std::string, const Json*>> compared_stages(const std::vector<ReportRun>& runs) {
    std::vector<std::pair<std::string, const Json*>> compared;
    if (runs.size() == 1) {
        const auto& stages = runs.front().stages;
        const size_t left_out = stages.size() > kMostCompared ? stages.size() - kMostCompared : 0;
        for (size_t i = 0; i < stages.size(); ++i)
            if (i == 0 || i > left_out) compared.emplace_back(name_of(stages[i]), &stages[i]);
        return compared;
    }
    for (const ReportRun& run : runs)
        if (const Json* stage = run.best_stage()) compared.emplace_back(run.name + ": " + name_of(*stage), stage);
    return compared;
}

}  // namespace

std::optional<std::pair<double, double>> interval_in(const Json& list) {
    if (!list.is_array() || list.size() != 2 || !list[0].is_number() || !list[1].is_number()) return std::nullopt;
    return std::pair(list[0].get<double>(), list[1].get<double>());
}

std::optional<PlotPoint> figure_in(const Json& object, const std::string& name) {
    RecordFields fields(object);
    const auto value = fields.number(name.c_str());
    if (!value) return std::nullopt;
    return PlotPoint{0, *value, interval_in(fields.any((name + "_interval").c_str()))};
}

ReportSection stages_section(const std::vector<ReportRun>& runs) {
    ReportSection section{"stages", "Stages"};
    const std::vector<std::string> names = stage_names(runs);
    for (const StageFigure& figure : kPlottedFigures) {
        ReportPlot plot{std::string(figure.key) + "_by_stage", std::string(figure.title) + " by stage", "stage",
                        figure.title, names};
        for (const ReportRun& run : runs) {
            PlotSeries series{run.name, {}};
            for (size_t i = 0; i < names.size(); ++i)
                for (const Json& stage : run.stages)
                    if (auto point = figure_in(stage, figure.key); point && name_of(stage) == names[i]) {
                        point->at = static_cast<double>(i);
                        series.points.push_back(*point);
                        break;
                    }
            plot.series.push_back(std::move(series));
        }
        add_plot(std::move(plot), section);
    }
    for (const ReportRun& run : runs) add_tables(run, section);
    return section;
}

ReportSection domains_section(const std::vector<ReportRun>& runs) {
    ReportSection section{"domains", "By domain"};
    const auto stages = compared_stages(runs);
    std::vector<std::string> domains;
    ReportTable table{"Figures by domain, with 95 % intervals", {"Stage", "Domain", "Instructions"}, {}};
    for (const StageFigure& figure : kStageFigures) table.columns.emplace_back(figure.title);
    for (const auto& [name, stage] : stages) {
        RecordFields fields(*stage);
        for (const auto& [domain, figures] : fields.object("by_domain").items()) {
            domains.push_back(domain);
            std::vector<std::string> cells = {name, domain, count_cell(figures, "items")};
            for (const StageFigure& figure : kStageFigures) cells.push_back(figure_cell(figures, figure));
            table.rows.push_back(std::move(cells));
        }
    }
    std::sort(domains.begin(), domains.end());
    domains.erase(std::unique(domains.begin(), domains.end()), domains.end());
    for (const StageFigure& figure : kPlottedFigures) {
        ReportPlot plot{std::string(figure.key) + "_by_domain",
                        std::string(figure.title) + " by domain",
                        "domain",
                        figure.title,
                        domains,
                        /*is_listed=*/true};
        for (const auto& [name, stage] : stages) {
            PlotSeries series{name, {}};
            RecordFields fields(*stage);
            const Json& by_domain = fields.object("by_domain");
            for (size_t i = 0; i < domains.size(); ++i)
                if (by_domain.contains(domains[i]))
                    if (auto point = figure_in(by_domain.at(domains[i]), figure.key)) {
                        point->at = static_cast<double>(i);
                        series.points.push_back(*point);
                    }
            plot.series.push_back(std::move(series));
        }
        add_plot(std::move(plot), section);
    }
    add_if_filled(section, std::move(table));
    return section;
}

ReportSection shapes_section(const std::vector<ReportRun>& runs) {
    ReportSection section{"shapes", "By shape"};
    const auto stages = compared_stages(runs);
    std::map<std::string, std::vector<std::optional<PlotPoint>>> recalls;
    for (size_t i = 0; i < stages.size(); ++i) {
        RecordFields fields(*stages[i].second);
        RecordFields intervals(fields.object("recall_intervals"));
        for (const auto& [shape, recall] : fields.object("recall_by_shape").items()) {
            if (!recall.is_number()) continue;
            auto& row = recalls[shape];
            row.resize(stages.size());
            row[i] = PlotPoint{0, recall.get<double>(), interval_in(intervals.any(shape.c_str()))};
        }
    }
    ReportTable table{"Recall of gold calls by the constraint's shape, with 95 % intervals", {"Shape"}, {}};
    ReportPlot plot{"recall_by_shape", "Recall by shape", "shape", "recall", {}, /*is_listed=*/true};
    for (const auto& [name, stage] : stages) {
        table.columns.push_back(name);
        plot.series.push_back({name, {}});
    }
    for (const auto& [shape, row] : recalls) {
        std::vector<std::string> cells = {shape};
        for (size_t i = 0; i < row.size(); ++i) {
            cells.push_back(row[i] ? figure_text(*row[i]) : "");
            if (!row[i]) continue;
            plot.series[i].points.push_back(*row[i]);
            plot.series[i].points.back().at = static_cast<double>(plot.categories.size());
        }
        plot.categories.push_back(shape);
        table.rows.push_back(std::move(cells));
    }
    add_plot(std::move(plot), section);
    add_if_filled(section, std::move(table));
    return section;
}

}  // namespace craft
