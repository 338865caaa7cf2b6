#include "view/report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

#include "core/files.h"
#include "core/json.h"
#include "tests/core/temporary_folder.h"

namespace craft {
namespace {

using testing::HasSubstr;
using testing::Not;
namespace fs = std::filesystem;

// What no page may hold as it stands: ends of elements, handlers, marks that turn the text behind them (U+202E, U+2066).
const std::string kHostile =
    "<script>alert(1)</script></script></pre><!--<img src=x onerror=alert(2)>\"'&\xE2\x80\xAE\xE2\x81\xA6";

Json stage(const std::string& name, double constraint_f1) {
    return {{"name", name},
            {"items", 16},
            {"tool_f1", .5},
            {"tool_f1_interval", {.4375, .5625}},
            {"constraint_f1", constraint_f1},
            {"constraint_f1_interval", {constraint_f1 - .125, constraint_f1 + .125}},
            {"s_r", nullptr},
            {"s_a", 37.25},
            {"by_domain", {{"c1", {{"items", 6}, {"constraint_f1", .75}}}}},
            {"recall_by_shape", {{"keep_one", .875}}},
            {"recall_intervals", {{"keep_one", {.8125, .9375}}}},
            {"pairs", 3},
            {"dropped", {{"tie", 1}, {"gap", 4}}},
            {"seconds", 38.4}};
}

Json manifest(bool finished) {
    return {{"program", "craft-train"}, {"format", 1},
            {"command", "quickstart"},  {"seed", 7},
            {"finished", finished},     {"versions", {{"craft-train", "0.1.0"}}}};
}

void write_run(const TemporaryFolder& folder, const std::string& name, bool finished = true) {
    folder.file(name + "/manifest.json", manifest(finished).dump());
    folder.file(name + "/summary.json",
                Json({{"stages", {stage("sft", .25), stage("round-1", .375)}},
                      {"best", "round-1"},
                      {"differences",
                       {{{"row", "round-1"},
                         {"other", "sft"},
                         {"s_a", {{"items", 16}, {"difference", 1.5}, {"interval", {-2.25, 4.75}}}}}}}})
                    .dump());
}

std::string page_of(const std::vector<fs::path>& runs, const ReportOptions& options = {}) {
    const TemporaryFolder folder;
    const fs::path page = folder.path() / "page.html";
    write_report(read_report(runs), options, page.string());
    return read_file(page);
}

size_t times(const std::string& text, const std::string& part) {
    size_t count = 0;
    for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + part.size())) ++count;
    return count;
}

TEST(Report, HasTheFiguresOfTheSummary) {
    const TemporaryFolder folder;
    write_run(folder, "a");
    const std::string page = page_of({folder.path() / "a"});
    // Blanks within an interval are such that no line ends there.
    const std::string to = "\xC2\xA0to\xC2\xA0";
    EXPECT_THAT(page, HasSubstr("<tr><th scope=\"row\">round-1 (best)</th><td class=\"figure\">16</td>"
                                "<td class=\"figure\">0.500 (0.438" +
                                to +
                                "0.562)</td>"
                                "<td class=\"figure\">0.375 (0.250" +
                                to + "0.500)</td>"));
    // Without an interval, then pairs, dropped (1 + 4) and seconds.
    EXPECT_THAT(page, HasSubstr("<td class=\"figure\">37.2</td><td class=\"figure\">3</td><td class=\"figure\">5</td>"
                                "<td class=\"figure\">38</td></tr>"));
    EXPECT_THAT(page, HasSubstr(">1.5 (-2.2" + to + "4.8)</td>"));
    EXPECT_THAT(page,
                HasSubstr("<tr><th scope=\"row\">keep_one</th><td class=\"figure\">0.875 (0.812" + to + "0.938)</td>"));
    EXPECT_THAT(page, HasSubstr("<tr><th scope=\"row\">dropped: gap</th><td class=\"figure\">4</td>"));
    EXPECT_THAT(page, HasSubstr("<td class=\"figure\">0.750</td>"));
}

TEST(Report, NeedsNothingOutsideThePage) {
    const TemporaryFolder folder;
    write_run(folder, "a");
    const std::string page = page_of({folder.path() / "a"});
    EXPECT_THAT(page, HasSubstr("default-src 'none'"));
    EXPECT_THAT(page, Not(HasSubstr("{{")));
    EXPECT_EQ(times(page, "http://"), times(page, "http://www.w3.org/2000/svg"));
    for (const char* outside : {"https://", " src=", "@import", "url(", "unsafe-"})
        EXPECT_THAT(page, Not(HasSubstr(outside)));
    EXPECT_EQ(page, page_of({folder.path() / "a"})) << "equal runs have equal reports";
}

TEST(Report, TextsOfOthersStayText) {
    const TemporaryFolder folder;
    Json one = stage(kHostile, .25);
    one["by_domain"] = {{kHostile, {{"tool_f1", .5}}}};
    one["recall_by_shape"] = {{kHostile, .5}};
    one["leniency"] = one["dropped"] = one["counted"] = {{kHostile, 2}};
    folder.file("a/summary.json", Json({{"stages", {one}}, {"best", kHostile}, {"others", {{kHostile, one}}}}).dump());
    Json of_others = manifest(false);
    of_others["command"] = of_others["seed"] = kHostile;
    of_others["versions"] = of_others["configuration"] = {{kHostile, kHostile}};
    of_others["judged"] = {
        {"judges", {{kHostile, {{"aspects", {{kHostile, {{"systems", {{kHostile, {{"stood", 1}}}}}}}}}}}}}};
    of_others["usage"] = {{"roles", {{kHostile, {{kHostile, {{"requests", 1}}}}}}}};
    folder.file("a/manifest.json", of_others.dump());
    folder.file("a/x\"><script>alert(3)'.jsonl",
                Json({{"id", kHostile}, {"messages", {{{"role", kHostile}, {"content", kHostile}}}}}).dump() + "\n" +
                    Json({{"prompt", kHostile}, {"chosen", kHostile}, {"rejected", kHostile}, {kHostile, kHostile}}).dump() +
                    "\n" + Json({{"id", "big"}, {"text", std::string(1 << 20, 'y') + kHostile}}).dump() + "\n");
    folder.file("a/sft/metrics.jsonl", "{\"step\":1,\"loss\":1}\n{\"step\":2,\"loss\":1}\n");
    const std::string page = page_of({folder.path() / "a"});
    for (const char* never : {"<script>alert", "</pre>", "<!--", "<img", "\xE2\x80\xAE", "\xE2\x81\xA6", "x\">"})
        EXPECT_THAT(page, Not(HasSubstr(never)));
    // The records and the page's own script.
    EXPECT_EQ(times(page, "<script"), 2U);
    EXPECT_EQ(times(page, "</script"), 2U);
    EXPECT_GT(times(page, "&lt;script&gt;alert(1)"), 10U);
    EXPECT_GT(times(page, "\\u003cscript>alert(1)"), 5U);
    EXPECT_THAT(page, HasSubstr(std::string(1 << 20, 'y')));
}

TEST(Report, HasRunsSideBySide) {
    const TemporaryFolder folder;
    write_run(folder, "a");
    write_run(folder, "b");
    Json other = manifest(true);
    other["configuration"] = {{"train", {{"lr", 1e-9}, {"epochs", 2}}}};
    folder.file("b/manifest.json", other.dump());
    other["configuration"]["train"]["lr"] = .25;
    folder.file("a/manifest.json", other.dump());
    const std::string page = page_of({folder.path() / "a", folder.path() / "b", folder.path() / "a"});
    EXPECT_THAT(page, HasSubstr("<th scope=\"col\">Run</th><th scope=\"col\">a</th><th scope=\"col\">b</th></tr>"));
    EXPECT_THAT(page,
                HasSubstr("<th scope=\"row\">train.lr</th><td class=\"figure\">0.25</td><td class=\"figure\">1e-09</td>"));
    EXPECT_THAT(page, Not(HasSubstr("train.epochs")));
    EXPECT_THAT(page, HasSubstr("Recall by shape, values"));
    EXPECT_THAT(page, HasSubstr("<th scope=\"col\">a: round-1</th><th scope=\"col\">b: round-1</th>"));
    // A folder of runs is as good as its runs.
    EXPECT_EQ(page, page_of({folder.path()}));
}

TEST(Report, CountsWhatItLeavesOut) {
    const TemporaryFolder folder;
    const std::string file = folder.file("a/rows.jsonl", "{\"x\":1}\n{\"x\":2}\nno row\n{\"x\":3}\n");
    const fs::path output = folder.path() / "page.html";
    const Report report = read_report({folder.path() / "a"});
    ReportCounts counts = write_report(report, {.records = 2}, output.string());
    EXPECT_EQ(counts.files, 1);
    EXPECT_EQ(counts.records, 2);
    EXPECT_EQ(counts.left_out, 1);
    const std::string page = read_file(output);
    EXPECT_THAT(page, HasSubstr("1 records are left out"));
    EXPECT_THAT(page, HasSubstr("<td>1 bad lines</td>"));
    EXPECT_THAT(page, HasSubstr("data-count=\"2\""));
    counts = write_report(report, {.records = 0}, output.string());
    EXPECT_EQ(counts.records, 3);
    EXPECT_THAT(read_file(output), Not(HasSubstr("are left out")));
    EXPECT_EQ(write_report(read_report({file}), {}, output.string()).records, 3) << "one file is as good as its folder";
}

TEST(Report, APlotIsAFile) {
    const TemporaryFolder folder;
    write_run(folder, "a");
    folder.file("a/sft/metrics.jsonl", "{\"step\":1,\"loss\":1}\n{\"step\":2,\"loss\":1}\n");
    const fs::path plots = folder.path() / "plots";
    // Three figures by stage, one by domain, recall by shape, pairs by reason, and the curve.
    EXPECT_EQ(write_report_plots(read_report({folder.path() / "a"}), plots), 7);
    EXPECT_THAT(read_file(plots / "constraint_f1_by_stage.svg"), HasSubstr("<svg xmlns"));
    EXPECT_TRUE(fs::exists(plots / "curve_sft_loss.svg"));
}

}  // namespace
}  // namespace craft
