#include "eval/results/cost_table.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>

#include "eval/results/eval_result.h"

namespace craft {

namespace {

struct Measure {
    const char* title;
    const char* key;  // of `revised`, of its `cost`, or of the manifest
};
constexpr std::array<Measure, 4> kMeasures = {
    {{"Iter Cnt.", "iterations"}, {"Inf.", "wall_seconds"}, {"# Input.", "input_tokens"}, {"# Output.", "output_tokens"}}};
constexpr std::array<const char*, 5> kDomains = {"c0", "c1", "c2", "c3", "c4"};

using Totals = std::map<std::string, double>;  // by the measure's key, a text's mean, summed over runs; "runs"

double total_of(const Json& manifest, const std::string& key, const std::string& file) {
    const Json& revised = manifest.at("revised");
    for (const Json* object : {&revised, revised.contains("cost") ? &revised.at("cost") : &revised, &manifest}) {
        if (!object->is_object()) continue;
        if (const auto figure = figure_at(*object, key, file)) return *figure;
    }
    throw Error(file + ": field '" + key + "' of a manifest, its 'revised' or 'revised.cost'", "a number", "none",
                "is it a manifest of `revise`?");
}

void add_manifest(Totals& totals, const TableInput& input) {
    const std::string& file = input.source.file;
    const auto revised = input.document.is_object() ? input.document.find("revised") : input.document.end();
    if (!input.document.is_object() || revised == input.document.end() || !revised->is_object())
        throw Error(file, "a manifest of `revise`, which says what it revised", "none");
    const double rows = total_of(input.document, "rows", file);
    if (rows <= 0) throw Error(file + ": field 'revised.rows'", "at least one text", "none");
    for (const Measure& measure : kMeasures) totals[measure.key] += total_of(input.document, measure.key, file) / rows;
    ++totals["runs"];
}

}  // namespace

Table make_cost_table(const std::vector<TableInput>& inputs, const std::string& baseline) {
    std::map<std::string, std::map<std::string, Totals>> totals;  // by system, then domain
    std::vector<std::string> systems;
    for (const TableInput& input : inputs) {
        const TableSource& source = input.source;
        if (source.domain.empty())
            throw Error(source.file, "the domain of what it revised", "none",
                        "write " + source.system + ":c1=" + source.file);
        if (source.system != baseline && std::find(systems.begin(), systems.end(), source.system) == systems.end())
            systems.push_back(source.system);
        add_manifest(totals[source.system][source.domain], input);
    }
    if (!totals.contains(baseline))
        throw Error("systems", "the baseline '" + baseline + "' among them", "none of this name");

    Table table;
    table.corner = "Relative to " + baseline;
    table.decimals = 1;
    table.is_ranked = false;
    table.is_factor = true;
    for (const char* domain : kDomains) table.columns.push_back({std::string("C") + domain[1]});
    for (const std::string& system : systems) {
        for (const Measure& measure : kMeasures) {
            TableRow row{systems.size() == 1 ? measure.title : system + ": " + measure.title, {}};
            for (const char* domain : kDomains) {
                Totals &of = totals[system][domain], &base = totals[baseline][domain];
                const double before = base.empty() ? 0 : base[measure.key] / base["runs"];
                // A baseline that cost nothing has no multiples.
                row.cells.push_back(
                    of.empty() || before <= 0 ? std::nullopt : std::optional<double>(of[measure.key] / of["runs"] / before));
            }
            table.rows.push_back(std::move(row));
        }
    }
    return table;
}

}  // namespace craft
