// What was measured at each stage of a run: a report's sections on stages, domains and shapes.
#pragma once

#include <vector>

#include "view/report_document.h"
#include "view/report_run.h"

namespace craft {

// A table a run, and the figures over the stages of all of them; differences between stages, the sealed test set.
ReportSection stages_section(const std::vector<ReportRun>& runs);
// Of one run all stages, of several the best stage of each.
ReportSection domains_section(const std::vector<ReportRun>& runs);
ReportSection shapes_section(const std::vector<ReportRun>& runs);

// The figure `name` of an object with its 95 % interval, which stands under "name_interval"; absent where there is none.
std::optional<PlotPoint> figure_in(const Json& object, const std::string& name);
// The interval in a list of two numbers.
std::optional<std::pair<double, double>> interval_in(const Json& list);

}  // namespace craft
