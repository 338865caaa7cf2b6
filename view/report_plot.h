// Plots of a report as SVG.
#pragma once

#include <string>

#include "view/report_document.h"

namespace craft {

// An SVG document: with a name and a description for those who do not see it, colours for white paper as attributes, which a
// style sheet may override by the classes s0 to s5 (series), paper, grid and ink. `number` makes its ids differ from those
// of other plots on a page. Everything from elsewhere is escaped, and control and direction marks are shown as U+FFFD.
std::string plot_svg(const ReportPlot& plot, size_t number = 0);
// One sentence on what is to be seen: axes, series, and from where to where the values go.
std::string plot_description(const ReportPlot& plot);

}  // namespace craft
