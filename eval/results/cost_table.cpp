#include "eval/results/cost_table.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>

#include "eval/results/eval_result.h"
#include "eval/results/figure_commands.h"

namespace craft {

namespace {

struct Measure {
    const char* title;
    const char* key;  // of `revised`, of its `cost`, or of the manifest
};
constexpr const char* kSeconds = "wall_seconds";
constexpr std::array<Measure, 4> kMeasures = {
    {{"Iter Cnt.", "iterations"}, {"Inf.", kSeconds}, {"# Input.", "input_tokens"}, {"# Output.", "output_tokens"}}};
constexpr std::array<const char*, 5> kDomains = {"c0", "c1", "c2", "c3", "c4"};

// A text's mean, of several runs.
struct RunsMean {
    double sum = 0;
    int64_t runs = 0;
    void add(double value) {
        sum += value;
        ++runs;
    }
    double value() const { return runs == 0 ? 0 : sum / static_cast<double>(runs); }
};
using Means = std::map<std::string, RunsMean>;  // by the measure's key
using DomainMeans = std::map<std::string, Means>;

std::optional<double> total_of(const Json& revised, const Json* manifest, const std::string& key, const std::string& file) {
    for (const Json* object : {&revised, revised.contains("cost") ? &revised.at("cost") : &revised, manifest}) {
        if (object == nullptr || !object->is_object()) continue;
        if (const auto figure = figure_at(*object, key, file)) return *figure;
    }
    return std::nullopt;
}

// Whether all answers to one role were recorded: an earlier run asked for them, and they came at once.
bool is_recorded(const Json& manifest) {
    const Json roles = manifest.value("usage", Json::object()).value("roles", Json::object());
    for (const auto& [role, systems] : roles.items())
        for (const auto& [name, used] : systems.items())
            if (used.is_object() && used.value("hits", int64_t{0}) > 0 && used["hits"] == used["requests"]) return true;
    return false;
}

// `manifest`: whose seconds are those of these texts; null: they were revised among others, or not all in this run.
void add_revised(Means& means, const Json& revised, const Json* manifest, const std::string& file) {
    const auto needed = [&](const char* key) {
        const auto total = total_of(revised, manifest, key, file);
        if (!total)
            throw Error(file + ": field '" + key + "' of a manifest, its 'revised' or 'revised.cost'", "a number", "none",
                        "is it a manifest of `revise`?");
        return *total;
    };
    const double rows = needed("rows");
    if (rows <= 0) throw Error(file + ": field 'revised.rows'", "at least one text", "none");
    for (const Measure& measure : kMeasures)
        if (manifest != nullptr || std::string(measure.key) != kSeconds) means[measure.key].add(needed(measure.key) / rows);
}

void add_manifest(DomainMeans& means, const TableInput& input) {
    const TableSource& source = input.source;
    const auto revised = input.document.is_object() ? input.document.find("revised") : input.document.end();
    if (!input.document.is_object() || revised == input.document.end() || !revised->is_object())
        throw Error(source.file, "a manifest of `revise`, which says what it revised", "none");
    const Json* const timed = is_recorded(input.document) ? nullptr : &input.document;
    if (!source.domain.empty()) return add_revised(means[source.domain], *revised, timed, source.file);
    if (!has_value(input.document, "by_domain") || !input.document.at("by_domain").is_object())
        throw Error(source.file, "the domain of what it revised", "none", "write " + source.system + ":c1=" + source.file);
    const Json& by_domain = input.document.at("by_domain");
    for (const auto& [domain, part] : by_domain.items())
        add_revised(means[domain], part, by_domain.size() == 1 ? timed : nullptr, source.file);
}

}  // namespace

Table make_cost_table(const std::vector<TableInput>& inputs, const std::string& baseline) {
    std::map<std::string, DomainMeans> means;  // by system
    std::vector<std::string> systems;
    for (const TableInput& input : inputs) {
        const TableSource& source = input.source;
        if (source.system != baseline && std::find(systems.begin(), systems.end(), source.system) == systems.end())
            systems.push_back(source.system);
        add_manifest(means[source.system], input);
    }
    if (!means.contains(baseline)) throw Error("systems", "the baseline '" + baseline + "' among them", "none of this name");

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
                const RunsMean &of = means[system][domain][measure.key], &base = means[baseline][domain][measure.key];
                // A baseline that cost nothing has no multiples.
                const bool any = of.runs > 0 && base.value() > 0;
                row.cells.push_back(any ? std::optional<double>(of.value() / base.value()) : std::nullopt);
            }
            table.rows.push_back(std::move(row));
        }
    }
    note_empty_cells(table, std::vector<std::string>(table.columns.size(), command_of(TableLayout::t11, "")));
    return table;
}

}  // namespace craft
