#include "view/report_judges.h"

#include "view/record_fields.h"

namespace craft {

namespace {

struct JudgeTables {
    ReportTable judges{"Judges and what became of their answers",
                       {"Judge", "Judgements", "Answers", "Asked again", "With thinking", "Malformed", "Failed"},
                       {}};
    ReportTable places{"Places: how often who stood there was called best or worst, and what chance would give",
                       {"Judge and aspect", "Place", "Shown", "Best", "Worst", "Chance"},
                       {}};
    ReportTable agreements{"Agreement of verdicts about the same candidates",
                           {"Judge and aspect", "Compared", "Number", "The same", "Different", "Reversed"},
                           {}};
    ReportTable systems{"Systems: how often each one is preferred and dispreferred, of all verdicts",
                        {"Judge and aspect", "System", "Stood", "Best", "Worst"},
                        {}};
};

std::string count(RecordFields& fields, const char* name) {
    return figure_text(fields.number(name), 0);
}

std::string sum_of(const Json& counts) {
    double sum = 0;
    for (const Json& one : counts)
        if (one.is_number()) sum += one.get<double>();
    return figure_text(sum, 0);
}

void add_agreement(JudgeTables& tables, const std::string& who, const std::string& what, const Json& agreement) {
    RecordFields fields(agreement);
    if (fields.number("compared").value_or(0) == 0) return;
    tables.agreements.rows.push_back({who, what, count(fields, "compared"), figure_text(fields.number("same_share")),
                                      figure_text(fields.number("differ_share")),
                                      figure_text(fields.number("reversed_share"))});
}

void add_aspect(JudgeTables& tables, const std::string& who, const Json& aspect) {
    RecordFields fields(aspect);
    for (const Json& place : fields.list("places")) {
        RecordFields of(place);
        const auto shown = of.number("shown"), expected = of.number("expected");
        tables.places.rows.push_back({who, count(of, "place"), count(of, "shown"), figure_text(of.number("best_share")),
                                      figure_text(of.number("worst_share")),
                                      shown && expected && *shown > 0 ? figure_text(*expected / *shown) : ""});
    }
    add_agreement(tables, who, "orders turned", fields.object("orders"));
    add_agreement(tables, who, "repeats", fields.object("repeats"));
    for (const auto& [system, figures] : fields.object("systems").items()) {
        RecordFields of(figures);
        tables.systems.rows.push_back(
            {who, system, count(of, "stood"), figure_text(of.number("best_share")), figure_text(of.number("worst_share"))});
    }
}

void add_judged(JudgeTables& tables, const std::string& prefix, const Json& judged) {
    RecordFields fields(judged);
    for (const auto& [name, judge] : fields.object("judges").items()) {
        RecordFields of(judge);
        tables.judges.rows.push_back({prefix + name, count(of, "judgements"), count(of, "answers"), count(of, "asked_again"),
                                      count(of, "thought"), sum_of(of.object("malformed")), sum_of(of.object("failed"))});
        for (const auto& [aspect, figures] : of.object("aspects").items())
            add_aspect(tables, prefix + name + (aspect.empty() ? "" : ", " + aspect), figures);
    }
    for (const Json& pair : fields.list("between_judges")) {
        RecordFields of(pair);
        add_agreement(tables,
                      prefix + of.text("a").value_or("?") + " and " + of.text("b").value_or("?") + ", " +
                          of.text("aspect").value_or("?"),
                      "two judges", pair);
    }
}

// Of the first judge and aspect that has places; a plot of all of them would show nothing.
ReportPlot systems_plot(const ReportTable& systems) {
    ReportPlot plot{"judges_systems",  "How often judges prefer each system", "system", "share of verdicts as best", {},
                    /*is_listed=*/true};
    for (const auto& row : systems.rows) {
        size_t category = 0;
        while (category < plot.categories.size() && plot.categories[category] != row[1]) ++category;
        if (category == plot.categories.size()) plot.categories.push_back(row[1]);
        if (plot.series.empty() || plot.series.back().name != row[0]) plot.series.push_back({row[0], {}});
        if (!row[3].empty()) plot.series.back().points.push_back({static_cast<double>(category), std::stod(row[3])});
    }
    return plot;
}

}  // namespace

ReportSection judges_section(const std::vector<ReportRun>& runs) {
    ReportSection section{"judges", "Judges"};
    JudgeTables tables;
    for (const ReportRun& run : runs)
        for (const NamedJson& manifest : run.manifests) {
            RecordFields fields(manifest.content);
            const std::string prefix = runs.size() == 1 && run.manifests.size() == 1 ? "" : run.name + ": ";
            add_judged(tables, prefix, fields.object("judged"));
            for (const Json& family : fields.list("shared_families"))
                section.parts.emplace_back(ReportNote{
                    prefix + "judge and candidates are of one family, which judges may favour: " + shown_value(family)});
        }
    if (!tables.systems.rows.empty()) section.parts.emplace_back(systems_plot(tables.systems));
    for (ReportTable* table : {&tables.judges, &tables.places, &tables.agreements, &tables.systems})
        if (!table->rows.empty()) section.parts.emplace_back(std::move(*table));
    return section;
}

}  // namespace craft
