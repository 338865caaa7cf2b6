// Sections of a report that are about rounds, judges and cost.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/json.h"
#include "view/report_judges.h"
#include "view/report_overview.h"
#include "view/report_rounds.h"
#include "view/report_training.h"

namespace craft {
namespace {

using testing::ElementsAre;

using Rows = std::vector<std::vector<std::string>>;

ReportTable table_of(const ReportSection& section, size_t number) {
    size_t at = 0;
    for (const ReportPart& part : section.parts)
        if (const auto* table = std::get_if<ReportTable>(&part); table != nullptr && at++ == number) return *table;
    throw std::out_of_range("no such table in " + section.title);
}

ReportRun run_with(const std::string& manifest) {
    ReportRun run;
    run.name = "run";
    run.manifests.push_back({"p.jsonl.manifest.json", parse_json(manifest, "a manifest")});
    return run;
}

TEST(ReportRounds, StagesComeBeforeRoundsThatAreNoneYet) {
    ReportRun run;
    run.stages = {parse_json(R"({"name":"sft","pairs":0,"dropped":{}})", "a stage"),
                  parse_json(R"({"name":"round-1","pairs":3,"dropped":{"tie":1}})", "a stage")};
    run.rounds = {{"round-1", {{"rows", 9}}}, {"round-2", parse_json(R"({"rows":5,"dropped":{"cut":2}})", "a round")}};
    const ReportTable table = table_of(pairs_section({run}), 0);
    EXPECT_THAT(table.columns, ElementsAre("Reason", "round-1", "round-2"));
    EXPECT_EQ(table.rows, (Rows{{"made", "3", "5"}, {"dropped: cut", "", "2"}, {"dropped: tie", "1", ""}}));
}

TEST(ReportRounds, ErrorsStandInTheOrderOfTheirKinds) {
    ReportRun run;
    run.evaluations = {{"e.json", parse_json(R"({"corpus":{"call_errors":{"no_call":2,"left_out":1},
        "by_domain":{"c1":{"call_errors":{"no_call":1}}}}})",
                                             "a result")}};
    const ReportTable table = table_of(errors_section({run}), 0);
    EXPECT_THAT(table.columns, ElementsAre("Kind", "e.json", "e.json, c1"));
    EXPECT_EQ(table.rows, (Rows{{"no_call", "2", "1"}, {"left_out", "1", ""}}));
}

// Shown 8 times at a place of four candidates each: by chance twice, a quarter.
TEST(ReportJudges, HasPlacesAgreementAndSystems) {
    const ReportRun run = run_with(R"({"judged":{"judges":{"j":{"judgements":8,"answers":9,"malformed":{"no verdict":1},
        "aspects":{"Overall":{"places":[{"place":0,"shown":8,"best_share":0.5,"worst_share":0.125,"expected":2.0}],
        "orders":{"compared":4,"same_share":0.25,"differ_share":0.75,"reversed_share":0.5},"repeats":null,
        "systems":{"copy":{"stood":8,"best_share":0.5,"worst_share":0.0}}}}}},
        "between_judges":[{"a":"j","b":"k","aspect":"Overall","compared":2,"same_share":1.0,"differ_share":0.0,
        "reversed_share":0.0}]}})");
    const ReportSection section = judges_section({run});
    EXPECT_EQ(table_of(section, 0).rows, (Rows{{"j", "8", "9", "", "", "1", "0"}}));
    EXPECT_EQ(table_of(section, 1).rows, (Rows{{"j, Overall", "0", "8", "0.500", "0.125", "0.250"}}));
    EXPECT_EQ(table_of(section, 2).rows, (Rows{{"j, Overall", "orders turned", "4", "0.250", "0.750", "0.500"},
                                               {"j and k, Overall", "two judges", "2", "1.000", "0.000", "0.000"}}));
    EXPECT_EQ(table_of(section, 3).rows, (Rows{{"j, Overall", "copy", "8", "0.500", "0.000"}}));
    EXPECT_TRUE(judges_section({run_with("{}")}).parts.empty());
}

TEST(ReportCost, HasWhatAnswersCost) {
    const ReportRun run = run_with(R"({"command":"judge","wall_seconds":61,"peak_memory_bytes":2000000,
        "usage":{"roles":{"judge":{"":{"requests":6,"hits":2,"prompt_tokens":4678,"new_tokens":66,"usd":0.25,"seconds":1.5}}}},
        "notes":{"usage":{"roles":{"planner":{"round-1":{"requests":3,"usd":null}}}}}})");
    const ReportSection section = cost_section({run});
    EXPECT_EQ(table_of(section, 0).rows, (Rows{{"run", "judge", "1:01", "2", ""}}));
    EXPECT_EQ(table_of(section, 1).rows, (Rows{{"run", "judge", "6", "2", "4678", "", "66", "", "1.5", "0.2500"},
                                               {"run", "planner, round-1", "3", "", "", "", "", "", "", "not known"}}));
}

// One plot for the loss, which is the SFT loss, and one for the entropy; both runs are in both.
TEST(ReportTraining, OverlaysTrainingsOfOneName) {
    std::vector<ReportRun> runs(2);
    for (ReportRun& run : runs) {
        run.name = &run == &runs[0] ? "a" : "b";
        TrainingCurves curves{"sft", false, {}};
        for (const char* field : {"loss", "sft_loss", "entropy"}) curves.fields[field] = {{1, 2}, {2, 1}};
        run.trainings = {curves};
    }
    const ReportSection section = training_section(runs);
    ASSERT_EQ(section.parts.size(), 3U);  // the heading, too
    const auto& plot = std::get<ReportPlot>(section.parts[2]);
    EXPECT_EQ(plot.title, "sft: Entropy");
    ASSERT_EQ(plot.series.size(), 2U);
    EXPECT_EQ(plot.series[1].name, "b");
    // Of one step there is no curve.
    for (ReportRun& run : runs)
        for (auto& [field, curve] : run.trainings[0].fields) curve.resize(1);
    const ReportTable table = table_of(training_section(runs), 0);
    EXPECT_EQ(table.rows, (Rows{{"Loss", "2", "2"}, {"SFT loss", "2", "2"}, {"Entropy", "2", "2"}}));
}

}  // namespace
}  // namespace craft
