// Several systems' results side by side: box plots over data sets and systems, and how metrics correlate (EditEval §7).
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/json.h"
#include "eval/editeval/conditions.h"

namespace craft {

struct EditComparison {
    std::vector<std::string> systems;   // names of the folders; paths where two have the same name
    std::vector<std::string> datasets;  // that any result has, in the order of the paper's table
    std::vector<std::string> figures;   // that any result has
    // What decides the figures and is not the same in all results (eval/editeval/conditions.h).
    std::vector<ConditionDifference> differences;
    // Means over prompts; what a result lacks is absent.
    std::map<std::string, std::map<std::string, std::map<std::string, double>>> means;  // by system, data set, figure
    // Figures of each prompt, likewise.
    std::map<std::string, std::map<std::string, std::map<std::string, std::map<std::string, double>>>>
        of_prompts;  // by data set, prompt, figure, system
    std::optional<double> mean_of(const std::string& system, const std::string& dataset, const std::string& figure) const;
};

// Of files editeval.json, which may differ in what decides their figures: that is named, and it is the reader's to judge.
// Throws Error naming the file where it is no such result, and where a file is given twice.
EditComparison compare_editeval(const std::vector<std::filesystem::path>& files);

// Pearson's correlation of two figures over systems and data sets, those of updating left out; absent where fewer than two
// pairs are there, or one side does not vary.
std::optional<double> figure_correlation(const EditComparison& comparison, const std::string& a, const std::string& b);

// comparison.json: {"systems","differences":[{"condition","values":{SYSTEM: value}}…],"datasets":{NAME:{FIGURE:{SYSTEM:
// mean}}},"prompts":{NAME:[{"prompt",FIGURE:{SYSTEM: value}}…]},"correlation":{FIGURE:{FIGURE: r}}}; and boxes_by_dataset
// (over systems), boxes_by_system (over data sets) and boxes_by_prompt (of each data set, over systems) of the one figure,
// .svg and .dat. Throws Error where no result has the figure.
void write_comparison(const EditComparison& comparison, const std::string& figure, const std::filesystem::path& folder);
// The figure by system and data set, then the correlations with it, for people.
std::string comparison_table(const EditComparison& comparison, const std::string& figure);

}  // namespace craft
