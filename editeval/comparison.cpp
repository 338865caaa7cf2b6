#include "editeval/comparison.h"

#include <algorithm>
#include <iomanip>
#include <set>
#include <sstream>

#include "core/error.h"
#include "core/files.h"
#include "editeval/box_plot.h"
#include "editeval/datasets.h"
#include "editeval/statistics.h"

namespace craft {

namespace fs = std::filesystem;

namespace {

const char* const kMainFigure = "sari";

const EditDataset* known_dataset(const std::string& name) {
    for (const EditDataset& dataset : edit_datasets())
        if (dataset.name == name) return &dataset;
    return nullptr;
}

std::map<std::string, std::map<std::string, double>> means_in(const fs::path& file) {
    const std::string hint = "give run folders of `eval editeval`";
    const Json result = read_json_file(file);
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

std::vector<Box> boxes_of(const EditComparison& all, bool by_system) {
    std::vector<Box> boxes;
    for (const std::string& label : by_system ? all.systems : all.datasets) {
        Box box = {.label = label, .values = {}};
        for (const std::string& other : by_system ? all.datasets : all.systems)
            if (const auto mean =
                    by_system ? all.mean_of(label, other, kMainFigure) : all.mean_of(other, label, kMainFigure))
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
    for (const fs::path& file : files) {
        const std::string folder = file.parent_path().filename().string();
        const std::string name = names[folder] == 1 && !folder.empty() ? folder : file.parent_path().string();
        if (all.means.contains(name)) throw Error(file.string(), "each result once", "the same twice");
        all.systems.push_back(name);
        all.means[name] = means_in(file);
        for (const auto& [dataset, means] : all.means[name]) {
            datasets.insert(dataset);
            for (const auto& [figure, value] : means) figures.insert(figure);
        }
    }
    for (const EditDataset& dataset : edit_datasets())
        if (datasets.contains(dataset.name)) all.datasets.push_back(dataset.name);
    all.figures.assign(figures.begin(), figures.end());
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

void write_comparison(const EditComparison& all, const fs::path& folder) {
    Json object = {{"systems", all.systems}, {"datasets", Json::object()}, {"correlation", Json::object()}};
    for (const std::string& dataset : all.datasets)
        for (const std::string& figure : all.figures)
            for (const std::string& system : all.systems)
                object["datasets"][dataset][figure][system] = value_or_null(all.mean_of(system, dataset, figure));
    for (const std::string& a : all.figures)
        for (const std::string& b : all.figures) object["correlation"][a][b] = value_or_null(figure_correlation(all, a, b));
    write_json_file(folder / "comparison.json", object);
    for (const bool by_system : {false, true}) {
        const std::vector<Box> boxes = boxes_of(all, by_system);
        if (boxes.empty()) continue;
        const std::string name = by_system ? "boxes_by_system" : "boxes_by_dataset";
        write_file_atomic(folder / (name + ".svg"), box_plot_svg(by_system ? "SARI of each system over data sets"
                                                                           : "SARI of each data set over systems",
                                                                 "SARI", boxes));
        write_file_atomic(folder / (name + ".dat"), box_plot_data(boxes, name + ".dat"));
    }
}

std::string comparison_table(const EditComparison& all) {
    std::ostringstream out;
    out << std::fixed << std::left << std::setprecision(1) << std::setw(28) << "SARI";
    for (const std::string& dataset : all.datasets) out << " " << std::setw(8) << known_dataset(dataset)->abbreviation;
    out << "\n";
    for (const std::string& system : all.systems) {
        out << std::setw(28) << system;
        for (const std::string& dataset : all.datasets) {
            out << " " << std::setw(8);
            if (const auto mean = all.mean_of(system, dataset, kMainFigure))
                out << *mean;
            else
                out << "-";
        }
        out << "\n";
    }
    out << "correlation with SARI, updating left out:";
    out << std::setprecision(3);
    for (const std::string& figure : all.figures) {
        if (figure == kMainFigure) continue;
        out << " " << figure << " ";
        if (const auto r = figure_correlation(all, kMainFigure, figure))
            out << *r;
        else
            out << "-";
    }
    out << "\n";
    return out.str();
}

}  // namespace craft
