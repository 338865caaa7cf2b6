#include "view/report.h"

#include <functional>
#include <map>
#include <set>

#include "core/error.h"
#include "core/file_hash.h"
#include "core/files.h"
#include "core/version.h"
#include "view/report_html.h"
#include "view/report_judges.h"
#include "view/report_overview.h"
#include "view/report_plot.h"
#include "view/report_records.h"
#include "view/report_rounds.h"
#include "view/report_stages.h"
#include "view/report_training.h"

namespace craft {

namespace fs = std::filesystem;

namespace {

using TemplateParts = std::map<std::string, std::function<void()>>;

// Writes the template, and calls the part of that name for each {{name}} in it.
void fill_template(const fs::path& file, const TemplateParts& parts, OutputFile& out) {
    const std::string text = read_file(file);
    size_t at = 0;
    for (size_t begin = 0; (begin = text.find("{{", at)) != std::string::npos;) {
        out.write(std::string_view(text).substr(at, begin - at));
        const size_t end = text.find("}}", begin);
        const std::string name = end == std::string::npos ? "" : text.substr(begin + 2, end - begin - 2);
        const auto part = parts.find(name);
        if (part == parts.end()) throw Error(file.string(), "the name of a part of the page", "'" + name + "'");
        part->second();
        at = end + 2;
    }
    out.write(std::string_view(text).substr(at));
}

std::string title_of(const Report& report) {
    std::string names;
    for (size_t i = 0; i < report.runs.size() && i < 4; ++i) names += (i > 0 ? ", " : "") + report.runs[i].name;
    if (report.runs.size() > 4) names += " and " + std::to_string(report.runs.size() - 4) + " more";
    return "Report: " + names;
}

ReportCounts counts_of(const ReportTable& files) {
    ReportCounts counts;
    for (const auto& row : files.rows) {
        ++counts.files;
        counts.records += std::stoll(row[3]);
        counts.left_out += std::stoll(row[4]);
    }
    return counts;
}

std::string records_notes(const ReportTable& files, const ReportCounts& counts) {
    ReportSection notes{"record-files", "Files", {}};
    if (counts.left_out > 0)
        notes.parts.emplace_back(ReportNote{std::to_string(counts.left_out) +
                                            " records are left out: --records 0 puts all of them into the page."});
    notes.parts.emplace_back(files);
    return html_sections({notes});
}

}  // namespace

Report read_report(const std::vector<fs::path>& paths) {
    Report report{read_report_runs(paths), {}};
    for (const auto section : {runs_section, stages_section, domains_section, shapes_section, errors_section, pairs_section,
                               training_section, judges_section, cost_section})
        report.sections.push_back(section(report.runs));
    return report;
}

ReportCounts write_report(const Report& report, const ReportOptions& options, const std::string& output) {
    const fs::path share = share_folder() / "report";
    const std::string sections = html_sections(report.sections), title = html_text(title_of(report));
    // Scripts and styles with this number alone are obeyed. It follows from the page, so that equal runs have equal reports.
    const std::string nonce = hash128_text(sections + title);
    OutputFile out(output);
    ReportTable files;
    ReportCounts counts;
    fill_template(share / "page.html",
                  {{"title", [&] { out.write(title); }},
                   {"nonce", [&] { out.write(nonce); }},
                   {"style", [&] { out.write(read_file(share / "page.css")); }},
                   {"script", [&] { out.write(read_file(share / "page.js")); }},
                   {"contents", [&] { out.write(html_contents(report.sections)); }},
                   {"sections", [&] { out.write(sections); }},
                   {"version", [&] { out.write(html_text(version())); }},
                   {"records",
                    [&] {
                        files = write_records(report.runs, options.records, out);
                        counts = counts_of(files);
                    }},
                   {"record_files", [&] { out.write(records_notes(files, counts)); }}},
                  out);
    out.close();
    return counts;
}

int64_t write_report_plots(const Report& report, const fs::path& folder) {
    ensure_folder(folder);
    std::set<std::string> names;
    for (const ReportSection& section : report.sections)
        for (const ReportPart& part : section.parts)
            if (const auto* plot = std::get_if<ReportPlot>(&part)) {
                std::string name = plot->name;
                while (!names.insert(name).second) name += "_";  // of two trainings whose names differ in signs alone
                write_file_atomic(folder / (name + ".svg"), plot_svg(*plot));
            }
    return static_cast<int64_t>(names.size());
}

}  // namespace craft
