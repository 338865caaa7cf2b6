// Box plots as a picture and as figures (EditEval Figure 3).
#pragma once

#include <string>
#include <vector>

namespace craft {

struct Box {
    std::string label;
    std::vector<double> values;  // at least one; box_numbers_of() says how it is drawn
};

// An SVG document of at least one box, each with its label below; `axis` names what is measured.
std::string box_plot_svg(const std::string& title, const std::string& axis, const std::vector<Box>& boxes);
// Two blocks for gnuplot: a line a box, "label" lower-whisker lower median upper upper-whisker, and a line an outlier, the
// box's number from 0 and the value. The first line is a comment that says how to plot it.
std::string box_plot_data(const std::vector<Box>& boxes, const std::string& file_name);

}  // namespace craft
