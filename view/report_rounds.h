// What rounds made and dropped, and what was wrong with calls: a report's sections on pairs and errors.
#pragma once

#include <vector>

#include "view/report_document.h"
#include "view/report_run.h"

namespace craft {

// Pairs (or groups) made and dropped by reason, by round; of judges' commands by their outputs. What was sampled for them.
ReportSection pairs_section(const std::vector<ReportRun>& runs);
// Kinds of errors of calls where a file of `eval tools` has them, and how the responses of each stage could be read.
ReportSection errors_section(const std::vector<ReportRun>& runs);

}  // namespace craft
