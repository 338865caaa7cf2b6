// What each run is, and what it cost: a report's first section and its section on cost.
#pragma once

#include <vector>

#include "view/report_document.h"
#include "view/report_run.h"

namespace craft {

// The runs side by side: command, state, seed, versions, last change; options in which they differ; what could not be read.
ReportSection runs_section(const std::vector<ReportRun>& runs);
// Time and memory of each manifest, tokens of evaluations and rounds, and what the answers of systems cost.
ReportSection cost_section(const std::vector<ReportRun>& runs);

}  // namespace craft
