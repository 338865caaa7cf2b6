// What makes a judge doubtful: a report's section on judges.
#pragma once

#include <vector>

#include "view/report_document.h"
#include "view/report_run.h"

namespace craft {

// Of the figures that `judge` and `simplify pairs` leave in their manifests (docs/judging.md, Read the report): places that
// a judge prefers, verdicts that turn with the order or from time to time, systems that it prefers, agreement between
// judges.
ReportSection judges_section(const std::vector<ReportRun>& runs);

}  // namespace craft
