// summary.json and its table.
#include "align/summary.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "core/error.h"
#include "core/files.h"
#include "tests/core/temporary_folder.h"

namespace craft {
namespace {

SummaryStage stage(const std::string& name, int64_t pairs) {
    SummaryStage row{.name = name};
    row.dev.overall = {.items = 3,
                       .tool_f1 = 0.75,
                       .constraint_f1 = 0.5,
                       .exact_match = 0.25,
                       .s_c = 0.625,
                       .s_r = 12.5,
                       .s_a = 56.25,
                       .touched_besides = 1.5,
                       .only_kept = .25,
                       .intervals = {{"constraint_f1", {.375, .625}}, {"s_c", {.5, .75}}}};
    row.dev.by_domain["c1"] = row.dev.overall;
    row.dev.by_domain["c0"] = {
        .items = 1, .tool_f1 = 1, .constraint_f1 = 1, .exact_match = 1, .s_c = std::nullopt, .s_r = std::nullopt, .s_a = 75};
    row.dev.recall_by_shape["keep_one"] = 0.5;
    row.dev.recall_intervals["keep_one"] = {.25, .75};
    row.dev.unusable_calls = 2;
    row.dev.unfinished = 1;
    row.dev.tokens = 400;
    row.dev.seconds = 2;
    row.pairs = pairs;
    row.dev.leniency = {{"alias_name", 3}};
    row.sampled = ResponseCounts{8, 5, 1, 20, 2, {{"fence_missing", 1}}};
    row.dropped = {{"tie", 3}, {"gap", 4}};
    row.seconds = 61.4;
    row.tokens_per_second = 1234.4;
    return row;
}

TEST(Summary, MetricsHoldEachStageOnceHoweverOftenTheyAreWritten) {
    const TemporaryFolder folder;
    write_stage_metrics(folder.path(), {stage("sft", 0)});
    write_stage_metrics(folder.path(), {stage("sft", 0), stage("round-1", 20)});
    write_stage_metrics(folder.path(), {stage("sft", 0)});  // a run that continues passes its first stages again
    std::istringstream lines(read_file(folder.path() / "metrics.jsonl"));
    std::vector<std::string> names;
    for (std::string line; std::getline(lines, line);) {
        const Json row = Json::parse(line);
        EXPECT_EQ(row.at("step"), names.size());
        EXPECT_EQ(row.at("constraint_f1"), 0.5);
        names.push_back(row.at("name"));
    }
    EXPECT_EQ(names, (std::vector<std::string>{"sft", "round-1"}));
    EXPECT_FALSE(std::filesystem::is_empty(folder.path() / "tb"));
}

TEST(Summary, StagesComeBackFromJson) {
    const SummaryStage row = stage("round-1", 20);
    const Json written = to_json(row);
    EXPECT_EQ(to_json(summary_stage_from_json(written)), written);
    EXPECT_EQ(written.at("name"), "round-1");
    for (const char* key :
         {"tool_f1", "constraint_f1", "exact_match", "s_v", "s_c", "s_r", "s_a", "by_domain", "pairs", "dropped", "seconds"})
        EXPECT_TRUE(written.contains(key)) << key;
    EXPECT_EQ(written.at("dropped"), (Json{{"gap", 4}, {"tie", 3}}));
    EXPECT_TRUE(written.at("by_domain").at("c0").at("s_c").is_null());
    EXPECT_TRUE(written.at("by_domain").at("c0").at("s_r").is_null());
    EXPECT_EQ(written.at("touched_besides"), 1.5);
    EXPECT_EQ(written.at("only_kept"), .25);
    EXPECT_TRUE(written.at("by_domain").at("c0").at("touched_besides").is_null());
    Json older = written;
    older.erase("touched_besides");
    older.erase("only_kept");
    older.erase("s_c_interval");
    older.erase("recall_intervals");
    const PlannerEvaluation read = summary_stage_from_json(older).dev;
    EXPECT_EQ(read.overall.intervals, (std::map<std::string, Interval>{{"constraint_f1", {.375, .625}}}));
    EXPECT_TRUE(read.recall_intervals.empty());
    EXPECT_FALSE(summary_stage_from_json(older).dev.overall.touched_besides);
    EXPECT_FALSE(summary_stage_from_json(older).dev.overall.only_kept);
    EXPECT_EQ(written.at("s_v"), written.at("tool_f1"));
    EXPECT_EQ(written.at("constraint_f1_interval"), (Json{.375, .625}));
    EXPECT_EQ(written.at("by_domain").at("c1").at("s_c_interval"), (Json{.5, .75}));
    EXPECT_EQ(written.at("recall_intervals"), (Json{{"keep_one", {.25, .75}}}));
}

TEST(Summary, IsReadAsItWasWritten) {
    const TemporaryFolder folder;
    const Summary summary{{stage("sft", 0), stage("round-1", 20)},
                          "round-1",
                          {{"c0", stage("", 0).dev}, {"c4", stage("", 0).dev}},
                          99.5,
                          {stage("sft", 0), stage("best", 0), stage("control", 0)},
                          {{"sft", "base", {}, {{"constraint_f1", {8, .25, {.125, .375}}}, {"s_a", {8, 5, {-1, 11}}}}}},
                          {{"best", "sft", {"c1", "c2"}, {{"s_c", {7, .5, {.25, .75}}}}}}};
    write_summary(folder.path(), summary);
    const Summary read = read_summary(folder.path());
    EXPECT_EQ(to_json(read), to_json(summary));
    EXPECT_EQ(summary_table(read), summary_table(summary));
    ASSERT_EQ(read.differences.size(), 1U);
    EXPECT_EQ(read.differences[0].figures.at("s_a").interval, Interval(-1, 11));
    EXPECT_EQ(read.test_differences.at(0).domains, (std::set<std::string>{"c1", "c2"}));

    Json older = to_json(summary);
    older["differences"] = {{{"row", "sft"}, {"other", "base"}, {"items", 8}, {"constraint_f1", .5}, {"interval", {0, 1}}}};
    folder.file("summary.json", older.dump());
    const FigureDifference alone = read_summary(folder.path()).differences.at(0).figures.at("constraint_f1");
    EXPECT_EQ(alone.items, 8);
    EXPECT_EQ(alone.difference, .5);
    EXPECT_EQ(alone.interval, Interval(0, 1));

    write_file_atomic(folder.path() / "summary.json", "{\"stages\":[{}]}");
    EXPECT_THAT([&] { read_summary(folder.path()); }, testing::ThrowsMessage<Error>(testing::HasSubstr("summary.json")));
    folder.file("summary.json", R"({"stages":[],"best":"base","seconds":1})");
    EXPECT_THAT([&] { read_summary(folder.path()); }, testing::ThrowsMessage<Error>(testing::HasSubstr("without stages")));
}

// On the items that both have: the base is asked the first ones alone, and the second one has no S_c. Of differences 1, .5,
// 1, .5 all four draws are .5 in 1 of 16 resamples; of .5 and 0 both are 0 in 1 of 4.
TEST(Summary, DifferencesAreOfTheSameItems) {
    SummaryStage sft = stage("sft", 0), base = stage("base", 0);
    sft.dev.items.domains = {"c1", "c0", "c2", "c2", "c1", "c1", "c1"};
    sft.dev.items.values = {{"constraint_f1", {1, .5, 1, .5, 0, 0, 0}}, {"s_c", {1, std::nullopt, .5}}, {"tool_f1", {1}}};
    base.dev.items.values = {{"constraint_f1", {0, 0, 0, 0}}, {"s_c", {.5, std::nullopt, .5, 1}}, {"tool_f1", {0}}};
    const StageDifference difference = difference_of(sft, base);
    EXPECT_EQ(difference.row + " - " + difference.other, "sft - base");
    ASSERT_EQ(difference.figures.size(), 2U) << "tool_f1 is not compared";
    const FigureDifference &f1 = difference.figures.at("constraint_f1"), &s_c = difference.figures.at("s_c");
    EXPECT_EQ(f1.items, 4);
    EXPECT_DOUBLE_EQ(f1.difference, .75);
    EXPECT_EQ(f1.interval, Interval(.5, 1));
    EXPECT_EQ(s_c.items, 2);
    EXPECT_DOUBLE_EQ(s_c.difference, .25);
    EXPECT_EQ(s_c.interval, Interval(0, .5));
    const FigureDifference of_c2 = difference_of(sft, base, {"c2", "c3"}).figures.at("constraint_f1");
    EXPECT_EQ(of_c2.items, 2);
    EXPECT_DOUBLE_EQ(of_c2.difference, .75);
}

TEST(Summary, TheRoundIsComparedWithItsStartAndTheControl) {
    const auto told = [](const std::vector<StageDifference>& differences) {
        std::vector<std::string> names;
        for (const StageDifference& each : differences)
            names.push_back(each.row + " - " + each.other + (each.domains.empty() ? "" : ", C1 to C3"));
        return names;
    };
    Summary summary;
    for (const char* name : {"base", "sft", "round-1", "round-2", "control"}) summary.stages.push_back(stage(name, 0));
    for (const char* name : {"sft", "best", "control"}) summary.test.push_back(stage(name, 0));
    summary.best = "round-1";
    compare_rows(summary);
    EXPECT_TRUE(summary.differences.empty() && summary.test_differences.empty()) << "no row has its items' figures";
    for (auto* rows : {&summary.stages, &summary.test})
        for (SummaryStage& row : *rows) row.dev.items = {{"c1", "c4"}, {{"constraint_f1", {1, 0}}}};
    summary.test[0].dev.items.values["constraint_f1"] = {0, 0};
    compare_rows(summary);
    EXPECT_THAT(told(summary.differences), testing::ElementsAre("sft - base", "round-1 - sft", "round-1 - control"));
    EXPECT_THAT(told(summary.test_differences),
                testing::ElementsAre("best - sft", "best - control", "best - sft, C1 to C3", "best - control, C1 to C3"));
    EXPECT_EQ(summary.test_differences[0].figures.at("constraint_f1").items, 2);
    EXPECT_EQ(summary.test_differences[0].figures.at("constraint_f1").difference, .5) << "both rows are of the sealed set";
    EXPECT_EQ(summary.test_differences[2].figures.at("constraint_f1").items, 1);

    summary.best = "sft";  // no round was better: the last one is told
    summary.stages.erase(summary.stages.begin());
    compare_rows(summary);
    EXPECT_THAT(told(summary.differences), testing::ElementsAre("round-2 - sft", "round-2 - control"));

    summary.stages[0].name = summary.test[0].name = "base";  // rounds without SFT
    compare_rows(summary);
    EXPECT_THAT(told(summary.differences), testing::ElementsAre("round-2 - base", "round-2 - control"));
    for (SummaryStage& row : summary.test) row.dev.items.domains = {"c0", "c4"};
    compare_rows(summary);
    EXPECT_THAT(told(summary.test_differences), testing::ElementsAre("best - base", "best - control"));
}

TEST(Summary, HoldsStagesBestAndOtherSets) {
    Summary summary{{stage("sft", 0), stage("round-1", 20)}, "round-1", {}, 99.5};
    const Json written = to_json(summary);
    EXPECT_EQ(written.at("stages").size(), 2u);
    EXPECT_EQ(written.at("best"), "round-1");
    EXPECT_EQ(written.at("seconds"), 99.5);
    EXPECT_FALSE(written.contains("others"));
    EXPECT_FALSE(written.contains("test"));
    summary.test = {stage("sft", 0), stage("best", 0)};
    const Json test = to_json(summary).at("test");
    EXPECT_EQ(test.size(), 2u);
    EXPECT_EQ(test.at("best"), to_json(stage("best", 0))) << "the keys of a stage";
    summary.others["c4"] = stage("c4", 0).dev;
    EXPECT_EQ(to_json(summary).at("others").at("c4").at("tool_f1"), 0.75);
}

TEST(Summary, TableHasARowAStageAndAlignedColumns) {
    SummaryStage untrained = stage("sft", 0);
    untrained.dev.overall.s_c = std::nullopt;
    untrained.tokens_per_second = 0;
    SummaryStage sealed = stage("best", 0);
    sealed.dropped.clear();
    sealed.tokens_per_second = 0;
    const Summary summary{{untrained, stage("round-1", 20)}, "round-1", {}, 99.5, {sealed}};
    std::vector<std::string> lines;
    std::istringstream in(summary_table(summary));
    for (std::string line; std::getline(in, line);) lines.push_back(line);
    ASSERT_EQ(lines.size(), 4u);
    for (const std::string& line : lines) EXPECT_EQ(line.size(), lines[0].size());
    const auto cells = [](const std::string& line) {
        std::istringstream words(line);
        return std::vector<std::string>(std::istream_iterator<std::string>(words), {});
    };
    // 400 tokens in 2 s; 3 + 4 dropped.
    EXPECT_THAT(cells(lines[1]), testing::ElementsAre("sft", "0.750", "0.500", "0.38", "to", "0.62", "0.250", "-", "12.5",
                                                      "56.2", "-", "7", "-", "200", "61"));
    EXPECT_THAT(cells(lines[2]), testing::ElementsAre("round-1", "*", "0.750", "0.500", "0.38", "to", "0.62", "0.250",
                                                      "0.625", "12.5", "56.2", "20", "7", "1234", "200", "61"));
    EXPECT_THAT(cells(lines[3]), testing::ElementsAre("test:", "best", "0.750", "0.500", "0.38", "to", "0.62", "0.250",
                                                      "0.625", "12.5", "56.2", "-", "-", "-", "200", "61"));
}

}  // namespace
}  // namespace craft
