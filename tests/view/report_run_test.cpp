#include "view/report_run.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/core/temporary_folder.h"

namespace craft {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;
namespace fs = std::filesystem;

const std::string kManifest = R"({"program":"craft-train","format":1,"command":"align","finished":false})";
const std::string kStage = R"({"step":0,"name":"sft","tool_f1":0.5,"constraint_f1":0.25})";

ReportRun only_run(const fs::path& path) {
    std::vector<ReportRun> runs = read_report_runs({path});
    EXPECT_EQ(runs.size(), 1U);
    return runs.at(0);
}

std::vector<std::string> names_of(const std::vector<ReportRun>& runs) {
    std::vector<std::string> names;
    for (const ReportRun& run : runs) names.push_back(run.name);
    return names;
}

// The last line is being written, the round's pairs are made, and no summary is there.
TEST(ReportRun, OneThatGoesOnIsReadAsFarAsItHasCome) {
    const TemporaryFolder folder;
    folder.file("manifest.json", kManifest);
    folder.file("metrics.jsonl", kStage + "\n{\"step\":1,\"name\":\"rou");
    folder.file("round-1/pairs/complete.json", R"({"rows":3,"dropped":{"tie":1}})");
    folder.file("round-1/train/metrics.jsonl", "{\"step\":1,\"loss\":2}\n{\"step\":2,\"loss\":1}\n{\"step\":3,\"lo");
    const ReportRun run = only_run(folder.path());
    EXPECT_FALSE(run.finished);
    ASSERT_EQ(run.stages.size(), 1U);
    EXPECT_EQ(run.best_stage()->at("name"), "sft");
    ASSERT_EQ(run.rounds.size(), 1U);
    EXPECT_EQ(run.rounds[0].name, "round-1");
    ASSERT_EQ(run.trainings.size(), 1U);
    EXPECT_EQ(run.trainings[0].name, "round-1/train");
    EXPECT_THAT(run.trainings[0].fields.at("loss"), ElementsAre(Pair(1, 2), Pair(2, 1)));
    EXPECT_THAT(run.notes, ElementsAre());
}

TEST(ReportRun, WhatCannotBeReadIsNoted) {
    const TemporaryFolder folder;
    folder.file("manifest.json", R"({"program":"craft-train","format":2,"command":"later","finished":true,"seed":5})");
    folder.file("summary.json", "{\"stages\":");
    folder.file("metrics.jsonl", "no row\n" + kStage + "\n");
    const ReportRun run = only_run(folder.path());
    EXPECT_EQ(run.manifest.at("command"), "later");
    EXPECT_TRUE(run.finished);
    EXPECT_EQ(run.stages.size(), 1U);
    ASSERT_EQ(run.notes.size(), 3U);
    EXPECT_THAT(run.notes[0], HasSubstr("format: expected 1, got 2"));
    EXPECT_THAT(run.notes[1], HasSubstr("metrics.jsonl: 1 lines"));
    EXPECT_THAT(run.notes[2], HasSubstr("summary.json"));
}

TEST(ReportRun, FieldsOfOtherTypesAreNone) {
    const TemporaryFolder folder;
    folder.file("manifest.json", R"({"program":"craft-train","format":1,"command":7,"finished":"yes","versions":[]})");
    folder.file("summary.json", R"({"stages":[7,{"name":3}],"best":[],"differences":{}})");
    const ReportRun run = only_run(folder.path());
    EXPECT_FALSE(run.finished);
    EXPECT_EQ(run.stages.size(), 2U);
}

TEST(ReportRun, TheBestStageIsTheOneThatWasChosen) {
    const TemporaryFolder folder;
    folder.file("summary.json", R"({"stages":[{"name":"sft"},{"name":"round-1"}],"best":"sft"})");
    EXPECT_EQ(only_run(folder.path()).best_stage()->at("name"), "sft");
    folder.file("summary.json", R"({"stages":[{"name":"sft"},{"name":"round-1"}],"best":""})");
    EXPECT_EQ(only_run(folder.path()).best_stage()->at("name"), "round-1");
}

TEST(ReportRun, AFolderOfRunsGivesEachOfThem) {
    const TemporaryFolder folder;
    for (const char* name : {"group/b10", "group/b9", "a"}) {
        folder.file(std::string(name) + "/manifest.json", kManifest);
        folder.file(std::string(name) + "/metrics.jsonl", kStage + "\n");
        folder.file(std::string(name) + "/rows.jsonl", "{}\n");
    }
    EXPECT_THAT(names_of(read_report_runs({folder.path()})), ElementsAre("a", "b9", "b10"));
    // What lies beside them is a run, too, without what is theirs.
    folder.file("rows.jsonl", "{}\n");
    const std::vector<ReportRun> runs = read_report_runs({folder.path()});
    ASSERT_EQ(runs.size(), 4U);
    EXPECT_EQ(runs[0].places.size(), 1U);
    EXPECT_TRUE(runs[0].stages.empty());
    // Names that are the same do not tell runs apart.
    folder.file("group/a/manifest.json", kManifest);
    EXPECT_THAT(names_of(read_report_runs({folder.path() / "a", folder.path() / "group/a/"})),
                ElementsAre((folder.path() / "a").string(), (folder.path() / "group/a").string()));
}

TEST(ReportRun, AnOutputIsItsManifests) {
    const TemporaryFolder folder;
    const std::string file = folder.file("pairs.jsonl", R"({"prompt":"p","chosen":"c","rejected":"r"})"
                                                        "\n");
    folder.file("pairs.jsonl.manifest.json", kManifest);
    EXPECT_EQ(only_run(file).manifest.at("command"), "align");
    EXPECT_EQ(only_run(file).places.size(), 1U);
    EXPECT_EQ(only_run(folder.path()).manifest.at("command"), "align");
}

TEST(ReportRun, NothingToShowIsAnError) {
    const TemporaryFolder folder;
    const auto failure = [&](const fs::path& path) { return message_of([&] { read_report_runs({path}); }); };
    EXPECT_THAT(failure(folder.path() / "x"), HasSubstr("x: expected the folder of a run, got nothing there"));
    EXPECT_THAT(failure(folder.path()), HasSubstr("got nothing that a report could show (inspect tells what it is)"));
}

}  // namespace
}  // namespace craft
