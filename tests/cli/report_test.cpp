// `report`: what becomes of its outputs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/files.h"
#include "tests/cli/run_command.h"
#include "tests/core/temporary_folder.h"

namespace craft {
namespace {

using test::failure_of;
using test::run_command;
using testing::HasSubstr;

TEST(ReportCommand, WritesAPageAndPlots) {
    const TemporaryFolder folder;
    folder.file("run/summary.json", R"({"stages":[{"name":"sft","constraint_f1":0.25}],"best":"sft"})");
    folder.file("run/rows.jsonl", "{}\n{}\n");
    const std::string run = (folder.path() / "run").string(), page = (folder.path() / "page.html").string(),
                      plots = (folder.path() / "plots").string();
    const auto outcome = run_command({"report", run, "--output", page, "--plots", plots, "--records", "1"});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_THAT(outcome.err, HasSubstr("report runs=1 files=1 records=1 left_out=1 plots=1"));
    EXPECT_THAT(read_file(page), HasSubstr("<!doctype html>"));
    EXPECT_THAT(read_file(folder.path() / "plots/constraint_f1_by_stage.svg"), HasSubstr("</svg>"));
    EXPECT_EQ(run_command({"report", run, "--output", "-"}).out.substr(0, 15), "<!doctype html>");
    // A page of the name is there.
    EXPECT_EQ(failure_of({"report", run, "--output", page}),
              "2: --output: expected a new file, got " + page + ", which exists (--overwrite replaces it)");
    EXPECT_EQ(run_command({"report", run, "--output", page, "--overwrite"}).code, 0);
}

TEST(ReportCommand, WithoutARunThereIsOneLine) {
    const TemporaryFolder folder;
    const std::string page = (folder.path() / "page.html").string(), empty = (folder.path() / "empty").string();
    std::filesystem::create_directories(empty);
    EXPECT_EQ(
        failure_of({"report", empty, "--output", page}),
        "1: " + empty +
            ": expected the folder of a run, or a file of records, got nothing that a report could show (inspect tells "
            "what it is)");
    EXPECT_FALSE(std::filesystem::exists(page));
    EXPECT_THAT(failure_of({"report", "--output", page}), HasSubstr("2: missing RUN"));
}

}  // namespace
}  // namespace craft
