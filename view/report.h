// A report on runs: one page that holds everything it shows, and its plots as files.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "view/report_document.h"
#include "view/report_run.h"

namespace craft {

struct Report {
    std::vector<ReportRun> runs;
    std::vector<ReportSection> sections;
};

// Throws Error as read_report_runs() does.
Report read_report(const std::vector<std::filesystem::path>& runs);

struct ReportOptions {
    int64_t records = 1000;  // of each file; 0: all
};
struct ReportCounts {
    int64_t files = 0, records = 0, left_out = 0;
};
// A page of HTML that needs neither network nor other files: share/report/page.html with the style, the script, the sections
// and the records. `output` is a file, or - for stdout. Throws Error where it cannot be written.
ReportCounts write_report(const Report& report, const ReportOptions& options, const std::string& output);

// NAME.svg for each plot. Returns how many there are; throws Error where one cannot be written.
int64_t write_report_plots(const Report& report, const std::filesystem::path& folder);

}  // namespace craft
