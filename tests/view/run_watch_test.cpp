#include "view/run_watch.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <fstream>

#include "tests/core/temporary_folder.h"
#include "view/sparkline.h"
#include "view/terminal.h"

namespace craft {
namespace {

using testing::HasSubstr;
using testing::Not;
namespace fs = std::filesystem;

TEST(Sparkline, IsLowWhereValuesAre) {
    EXPECT_EQ(sparkline({0, 1, 2, 3, 4, 5, 6, 7}, 8), "▁▂▃▄▅▆▇█");
    EXPECT_EQ(sparkline({0, 0, 7, 7}, 2), "▁█");
    EXPECT_EQ(sparkline({5, 5}, 8), "▁▁");
    EXPECT_EQ(sparkline({1, std::nan(""), INFINITY, 2}, 8), "▁  █");
    EXPECT_EQ(sparkline({}, 8), "");
    EXPECT_EQ(sparkline({1, 2}, 0), "");
}

std::string look_at(const RunWatch& watch, std::chrono::seconds later = std::chrono::seconds(0)) {
    return lay_out(watch.page(fs::file_time_type::clock::now() + later, 40), {.width = 120, .height = 24});
}

void append(const fs::path& file, const std::string& bytes) {
    fs::create_directories(file.parent_path());
    std::ofstream(file, std::ios::app | std::ios::binary) << bytes;
}

TEST(RunWatch, FollowsARunAsItGrows) {
    const TemporaryFolder folder;
    const fs::path training = folder.path() / "sft/metrics.jsonl";
    RunWatch watch(folder.path());
    EXPECT_THAT(look_at(watch), HasSubstr("no manifest yet"));
    folder.file("manifest.json", R"({"program":"craft-train","format":1,"command":"quickstart","finished":false})");
    append(training, R"({"step":1,"of_steps":11,"loss":2.0,"seconds":3.0,"lr":0.001,"peak_memory_bytes":1500000000})"
                     "\n"
                     R"({"step":2,"of_st)");
    watch.look();
    std::string page = look_at(watch);
    EXPECT_THAT(page, HasSubstr("quickstart  goes on"));
    EXPECT_THAT(page, HasSubstr("sft  step 1 of 11, 30 s left"));
    EXPECT_THAT(page, HasSubstr("rate 0.001  memory 1.5 GB"));
    append(training, R"(eps":11,"loss":1.0,"seconds":3.0})"
                     "\nno json\n");
    append(folder.path() / "metrics.jsonl", R"({"step":1,"name":"base","constraint_f1":0.25})"
                                            "\n");
    append(folder.path() / "align/round-1/pairs/rows.partial",
           "{\"run\":1}\n"
           R"({"samples":[{"response":"a plan \u001b[2J"}]})"
           "\n{\"half");
    watch.look();
    page = look_at(watch);
    EXPECT_THAT(page, HasSubstr("sft  step 2 of 11, 27 s left"));
    EXPECT_THAT(page, HasSubstr("loss: 1  █▁"));
    EXPECT_THAT(page, HasSubstr("1 lines are no JSON objects"));
    EXPECT_THAT(page, HasSubstr("base  constraint_f1 0.25"));
    EXPECT_THAT(page, HasSubstr("response: a plan \uFFFD[2J"));
    EXPECT_THAT(look_at(watch, std::chrono::hours(1)), HasSubstr("no sign of life for 1:00:00"));
    folder.file("manifest.json", R"({"program":"craft-train","format":1,"command":"quickstart","finished":true})");
    watch.look();
    EXPECT_TRUE(watch.finished());
    EXPECT_THAT(look_at(watch), HasSubstr("quickstart  finished"));
}

// A resumed run cuts off the rows that it makes again.
TEST(RunWatch, AFileThatBecameShorterIsReadAgain) {
    const TemporaryFolder folder;
    const fs::path file = folder.path() / "metrics.jsonl";
    append(file, "{\"step\":1,\"loss\":4}\n{\"step\":2,\"loss\":3}\n");
    RunWatch watch(folder.path());
    fs::resize_file(file, 20);
    watch.look();
    EXPECT_THAT(look_at(watch), HasSubstr("step 1"));
    EXPECT_THAT(look_at(watch), HasSubstr("loss: 4  ▁\n"));
}

TEST(RunWatch, ReadsWhatItCanOfANewerRun) {
    const TemporaryFolder folder;
    folder.file("manifest.json", R"({"program":"craft-train","format":99,"command":"quickstart"})");
    folder.file("metrics.jsonl", "{\"step\":7,\"loss\":\"high\"}\n{\"step\":8,\"loss\":1}\n");
    const std::string page = look_at(RunWatch(folder.path()));
    EXPECT_THAT(page, HasSubstr("step 8"));
    EXPECT_THAT(page, Not(HasSubstr("finished")));
    EXPECT_THAT(message_of([&] { RunWatch(folder.path() / "x"); }), HasSubstr("the folder of a run, got nothing there"));
}

}  // namespace
}  // namespace craft
