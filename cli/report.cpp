// `report`: what runs made and measured, as one page for a browser.
#include "view/report.h"

#include "cli/command.h"
#include "cli/common.h"
#include "core/log.h"

namespace craft {

namespace {

struct ReportCommandOptions {
    std::vector<std::string> runs;
    std::string output, plots;
    ReportOptions page;
};

int run_report(int argc, const char* const* argv);

const Command kReportCommand = {"report", CommandGroup::use_model,
                                "runs as one page for a browser: figures, curves, records, side by side",
                                "craft-train report runs/sft --output report.html", run_report};

int run_report(int argc, const char* const* argv) {
    CommonOptions common;
    ReportCommandOptions options;
    OptionTable table;
    table
        .add("runs", options.runs,
             "folders of runs, which are only read and may still go on; also a folder of such, a store or a file of records")
        .positional("RUN")
        .input()
        .filled()
        .required();
    table.add("output", options.output, "the page: one file of HTML that needs no other, - for stdout")
        .flag("--output")
        .output()
        .required();
    table.add("records", options.page.records, "maximum number of records of each file in the page; 0: all")
        .flag("--records")
        .min(0);
    table.add("plots", options.plots, "folder for the plots as SVG, NAME.svg each; empty: none")
        .flag("--plots")
        .output_folder();
    if (!parse_command(kReportCommand, table, common, argc, argv)) return 0;
    const Report report = read_report({options.runs.begin(), options.runs.end()});
    const ReportCounts counts = write_report(report, options.page, options.output);
    const int64_t plots = options.plots.empty() ? 0 : write_report_plots(report, options.plots);
    Json told = {
        {"runs", report.runs.size()}, {"files", counts.files}, {"records", counts.records}, {"left_out", counts.left_out}};
    if (!options.plots.empty()) told["plots"] = plots;
    log_info("report", told);
    return 0;
}

}  // namespace

Command report_command() {
    return kReportCommand;
}

}  // namespace craft
