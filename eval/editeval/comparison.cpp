#include "eval/editeval/comparison.h"

#include <algorithm>
#include <iomanip>
#include <set>
#include <sstream>

#include "core/error.h"
#include "core/files.h"
#include "core/utf8.h"
#include "eval/editeval/box_plot.h"
#include "eval/editeval/datasets.h"
#include "eval/editeval/statistics.h"
#include "text/lists.h"

namespace craft {

namespace fs = std::filesystem;

namespace {

const EditDataset* known_dataset(const std::string& name) {
    for (const EditDataset& dataset : edit_datasets())
        if (dataset.name == name) return &dataset;
    return nullptr;
}

const char* const kHint = "give run folders of `eval editeval`";

// "sari" as titles have it.
std::string title_of(const std::string& figure) {
    return figure == "sari" ? "SARI" : figure == "gleu" ? "GLEU" : figure;
}

std::map<std::string, std::map<std::string, double>> means_in(const Json& result, const fs::path& file) {
    const std::string hint = kHint;
    if (!result.is_object() || !result.contains("datasets") || !result["datasets"].is_object())
        throw Error(file.string(), "a result of EditEval with 'datasets'", "none", hint);
    std::map<std::string, std::map<std::string, double>> means;
    for (const auto& [name, dataset] : result["datasets"].items()) {
        const std::string where = file.string() + ": data set '" + name + "'";
        if (known_dataset(name) == nullptr) throw Error(where, "one of EditEval's data sets", "another one", hint);
        if (!dataset.is_object() || !dataset.contains("mean") || !dataset["mean"].is_object())
            throw Error(where, "means by metric under 'mean'", "none", hint);
        for (const auto& [figure, value] : dataset["mean"].items()) {
            if (value.is_null()) continue;
            if (!value.is_number()) throw Error(where + ": mean of '" + figure + "'", "a number", value.type_name(), hint);
            means[name][figure] = value.get<double>();
        }
    }
    return means;
}

// Figures of prompts. Results of other makers may have none.
void take_prompts(const Json& result, const std::string& system, const fs::path& file, EditComparison& into) {
    for (const auto& [name, dataset] : result.at("datasets").items()) {
        if (!dataset.contains("prompts")) continue;
        const std::string where = file.string() + ": data set '" + name + "'";
        if (!dataset.at("prompts").is_array()) throw Error(where, "a list under 'prompts'", "something else", kHint);
        for (const Json& one : dataset.at("prompts")) {
            const std::string prompt = string_field(one, "prompt", where);
            if (!has_value(one, "metrics") || !one.at("metrics").is_object())
                throw Error(where, "figures under 'metrics' of each prompt", "none", kHint);
            for (const auto& [figure, value] : one.at("metrics").items())
                if (value.is_number()) into.of_prompts[name][prompt][figure][system] = value.get<double>();
        }
    }
}

// Of each data set in their order and each prompt in alphabetical order: its figures over systems.
std::vector<Box> boxes_of_prompts(const EditComparison& all, const std::string& figure) {
    constexpr size_t kLongestLabel = 28;
    std::vector<Box> boxes;
    for (const std::string& dataset : all.datasets) {
        const auto prompts = all.of_prompts.find(dataset);
        if (prompts == all.of_prompts.end()) continue;
        for (const auto& [prompt, figures] : prompts->second) {
            const auto values = figures.find(figure);
            if (values == figures.end()) continue;
            Box box = {.label = shortened(known_dataset(dataset)->abbreviation + ": " + one_line(prompt), kLongestLabel),
                       .values = {}};
            for (const auto& [system, value] : values->second) box.values.push_back(value);
            boxes.push_back(std::move(box));
        }
    }
    return boxes;
}

std::vector<Box> boxes_of(const EditComparison& all, const std::string& figure, bool by_system) {
    std::vector<Box> boxes;
    for (const std::string& label : by_system ? all.systems : all.datasets) {
        Box box = {.label = label, .values = {}};
        for (const std::string& other : by_system ? all.datasets : all.systems)
            if (const auto mean = by_system ? all.mean_of(label, other, figure) : all.mean_of(other, label, figure))
                box.values.push_back(*mean);
        if (!box.values.empty()) boxes.push_back(std::move(box));
    }
    return boxes;
}

}  // namespace

std::optional<double> EditComparison::mean_of(const std::string& system, const std::string& dataset,
                                              const std::string& figure) const {
    const auto& of_system = means.at(system);
    const auto of_dataset = of_system.find(dataset);
    if (of_dataset == of_system.end()) return std::nullopt;
    const auto mean = of_dataset->second.find(figure);
    return mean == of_dataset->second.end() ? std::nullopt : std::optional(mean->second);
}

EditComparison compare_editeval(const std::vector<fs::path>& files) {
    EditComparison all;
    std::map<std::string, int> names;
    for (const fs::path& file : files) ++names[file.parent_path().filename().string()];
    std::set<std::string> datasets, figures;
    std::vector<std::pair<std::string, EditConditions>> conditions;
    for (const fs::path& file : files) {
        const std::string folder = file.parent_path().filename().string();
        const std::string name = names[folder] == 1 && !folder.empty() ? folder : file.parent_path().string();
        if (all.means.contains(name)) throw Error(file.string(), "each result once", "the same twice");
        all.systems.push_back(name);
        const Json result = read_json_file(file);
        all.means[name] = means_in(result, file);
        take_prompts(result, name, file, all);
        conditions.emplace_back(name, conditions_of(result));
        for (const auto& [dataset, means] : all.means[name]) {
            datasets.insert(dataset);
            for (const auto& [figure, value] : means) figures.insert(figure);
        }
    }
    for (const EditDataset& dataset : edit_datasets())
        if (datasets.contains(dataset.name)) all.datasets.push_back(dataset.name);
    all.figures.assign(figures.begin(), figures.end());
    all.differences = differences_of(conditions);
    return all;
}

std::optional<double> figure_correlation(const EditComparison& all, const std::string& a, const std::string& b) {
    std::vector<std::pair<double, double>> pairs;
    for (const std::string& dataset : all.datasets) {
        if (known_dataset(dataset)->task == EditTask::updating) continue;
        for (const std::string& system : all.systems) {
            const auto x = all.mean_of(system, dataset, a), y = all.mean_of(system, dataset, b);
            if (x && y) pairs.emplace_back(*x, *y);
        }
    }
    return pearson(std::move(pairs));
}

namespace {

Json to_json(const EditComparison& all) {
    Json object = {{"systems", all.systems},
                   {"differences", Json::array()},
                   {"datasets", Json::object()},
                   {"prompts", Json::object()},
                   {"correlation", Json::object()}};
    for (const ConditionDifference& one : all.differences)
        object["differences"].push_back({{"condition", one.condition}, {"values", one.values}});
    for (const std::string& dataset : all.datasets)
        for (const std::string& figure : all.figures)
            for (const std::string& system : all.systems)
                object["datasets"][dataset][figure][system] = value_or_null(all.mean_of(system, dataset, figure));
    for (const auto& [dataset, prompts] : all.of_prompts)
        for (const auto& [prompt, figures] : prompts) {
            Json one = {{"prompt", prompt}};
            one.update(figures);
            object["prompts"][dataset].push_back(std::move(one));
        }
    for (const std::string& a : all.figures)
        for (const std::string& b : all.figures) object["correlation"][a][b] = value_or_null(figure_correlation(all, a, b));
    return object;
}

}  // namespace

void write_comparison(const EditComparison& all, const std::string& figure, const fs::path& folder) {
    if (std::find(all.figures.begin(), all.figures.end(), figure) == all.figures.end())
        throw Error("figure '" + figure + "'", "one that a result has: " + join(all.figures, ", "), "another one");
    write_json_file(folder / "comparison.json", to_json(all));
    const std::string title = title_of(figure);
    const auto write = [&](const std::string& name, const std::string& over, const std::vector<Box>& boxes) {
        if (boxes.empty()) return;
        write_file_atomic(folder / (name + ".svg"), box_plot_svg(title + over, title, boxes));
        write_file_atomic(folder / (name + ".dat"), box_plot_data(boxes, name + ".dat"));
    };
    write("boxes_by_dataset", " of each data set over systems", boxes_of(all, figure, false));
    write("boxes_by_system", " of each system over data sets", boxes_of(all, figure, true));
    write("boxes_by_prompt", " of each prompt over systems", boxes_of_prompts(all, figure));
}

std::string comparison_table(const EditComparison& all, const std::string& main_figure) {
    const std::string title = title_of(main_figure);
    std::ostringstream out;
    out << std::fixed << std::left << std::setprecision(main_figure == "sari" ? 1 : 3) << std::setw(28) << title;
    for (const std::string& dataset : all.datasets) out << " " << std::setw(8) << known_dataset(dataset)->abbreviation;
    out << "\n";
    for (const std::string& system : all.systems) {
        out << std::setw(28) << system;
        for (const std::string& dataset : all.datasets) {
            out << " " << std::setw(8);
            if (const auto mean = all.mean_of(system, dataset, main_figure))
                out << *mean;
            else
                out << "-";
        }
        out << "\n";
    }
    out << "correlation with " << title << ", without updating:";
    out << std::setprecision(3);
    for (const std::string& figure : all.figures) {
        if (figure == main_figure) continue;
        out << " " << figure << " ";
        if (const auto r = figure_correlation(all, main_figure, figure))
            out << *r;
        else
            out << "-";
    }
    out << "\n";
    return out.str();
}

}  // namespace craft
