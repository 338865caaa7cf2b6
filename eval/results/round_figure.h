// CRAFT's Figure 3: text quality and accuracy after each round of revision, as a table and as a picture.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "eval/results/table_layouts.h"

namespace craft {

// One figure over the rounds.
struct RoundPanel {
    std::string title;   // "PPL"
    std::string figure;  // its key in a result
    // By system, one a round from the first on; absent where no file says it.
    std::map<std::string, std::vector<std::optional<double>>> values = {};
};

struct RoundFigures {
    std::vector<std::string> systems;  // in the order in which they come first
    size_t rounds = 0;                 // of the system that has most
    std::vector<RoundPanel> panels;    // perplexity, SOME, BARTScore, accuracy
};

// From results of `eval cord --rounds` and `eval metric --rounds`; files of one figure and system, which are runs, are
// averaged. Throws Error on a file without figures by round, and where figures of one panel come from different scorers.
RoundFigures round_figures(const std::vector<TableInput>& inputs);
// A row a round (of several systems: a round of each), a column a figure. SOME and accuracy are in percent.
Table round_table(const RoundFigures& figures);
// An SVG document with a panel a figure, in which each system is a line over the rounds. A panel without figures is left
// out; throws Error where all are.
std::string round_figure_svg(const RoundFigures& figures);

}  // namespace craft
