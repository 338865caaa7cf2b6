// Several systems' results side by side: box plots over data sets and systems, and how metrics correlate (EditEval §7).
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/json.h"

namespace craft {

struct EditComparison {
    std::vector<std::string> systems;   // names of the folders; paths where two have the same name
    std::vector<std::string> datasets;  // that any result has, in the order of the paper's table
    std::vector<std::string> figures;   // that any result has
    // Means over prompts; what a result lacks is absent.
    std::map<std::string, std::map<std::string, std::map<std::string, double>>> means;  // by system, data set, figure
    std::optional<double> mean_of(const std::string& system, const std::string& dataset, const std::string& figure) const;
};

// Of files editeval.json. Throws Error naming the file where it is no such result, and where a file is given twice.
EditComparison compare_editeval(const std::vector<std::filesystem::path>& files);

// Pearson's correlation of two figures over systems and data sets, those of updating left out; absent where fewer than two
// pairs are there, or one side does not vary.
std::optional<double> figure_correlation(const EditComparison& comparison, const std::string& a, const std::string& b);

// comparison.json: {"systems","datasets":{NAME:{FIGURE:{SYSTEM: mean}}},"correlation":{FIGURE:{FIGURE: r}}}; and
// boxes_by_dataset and boxes_by_system of SARI, .svg and .dat, where any result has it.
void write_comparison(const EditComparison& comparison, const std::filesystem::path& folder);
// SARI by system and data set, then the correlations with SARI, for people.
std::string comparison_table(const EditComparison& comparison);

}  // namespace craft
