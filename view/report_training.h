// The curves of trainings, runs over one another.
#pragma once

#include <vector>

#include "view/report_document.h"
#include "view/report_run.h"

namespace craft {

// Of the trainings of one name a plot for each figure that their rows have.
ReportSection training_section(const std::vector<ReportRun>& runs);

// At most `most` points of a curve: of more each is the mean of some that follow one another, at the mean of their steps.
std::vector<PlotPoint> thinned(const std::vector<std::pair<double, double>>& curve, size_t most);

}  // namespace craft
