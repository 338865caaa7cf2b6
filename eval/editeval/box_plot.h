// Box plots as a picture and as figures (EditEval Figure 3).
#pragma once

#include <string>
#include <vector>

namespace craft {

struct Box {
    std::string label;
    std::vector<double> values;  // at least one; the whiskers end at the least and the greatest
};

// An SVG document of at least one box, each with its label below; `axis` names what is measured.
std::string box_plot_svg(const std::string& title, const std::string& axis, const std::vector<Box>& boxes);
// A line a box for gnuplot: "label" min lower median upper max, quartiles as quartiles_of() has them; the first line is a
// comment that says how to plot it.
std::string box_plot_data(const std::vector<Box>& boxes, const std::string& file_name);

}  // namespace craft
