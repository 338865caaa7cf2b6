// The whole main job on a planner that babbles: what it leaves behind, that run again it repeats nothing, and what seeds
// change.
#include "align/main_job.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/files.h"
#include "tests/align/tiny_planner.h"
#include "tests/core/temporary_folder.h"

namespace craft {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;

MainJobOptions tiny_job(const fs::path& model, uint64_t seed) {
    MainJobOptions options;
    options.base_model = model;
    options.texts = fs::path(CRAFT_TEST_SOURCE) / "share" / "texts";
    options.trajectories = 12;
    options.teacher_steps = 2;
    options.selection = 3;
    options.dev = 6;
    options.others = 2;
    options.workshop = test::workshop_options();
    options.align = test::tiny_options();
    options.align.rounds = 1;
    options.align.control = true;
    options.sft = options.align.train;
    options.sft.loss = default_loss_options(LossName::sft);
    options.sft.lr = 1e-3;  // so little that responses still differ
    options.sft.epochs = 2;
    options.seed = seed;
    return options;
}

std::map<std::string, fs::file_time_type> written(const fs::path& folder) {
    std::map<std::string, fs::file_time_type> times;
    for (const auto& entry : fs::recursive_directory_iterator(folder))
        if (entry.is_regular_file()) times[fs::relative(entry.path(), folder).string()] = entry.last_write_time();
    return times;
}

TEST(MainJob, LeavesEveryStageBehindAndRepeatsNone) {
    const TemporaryFolder folder;
    test::make_tiny_planner(folder.path() / "base");
    const fs::path out = folder.path() / "run";
    MainJobOptions options = tiny_job(folder.path() / "base", 1);
    fs::remove(folder.path() / "base" / "chat_template.jinja");  // as of a model that was published without one
    options.chat_template = "chatml";
    const Summary first = run_main_job(options, at::kFloat, at::kCPU, out);

    std::vector<std::string> names;
    for (const SummaryStage& stage : first.stages) names.push_back(stage.name);
    EXPECT_THAT(names, ElementsAre("base", "sft", "round-1", "control"));
    for (const SummaryStage& stage : first.stages) EXPECT_EQ(stage.dev.overall.items, 6) << stage.name;
    EXPECT_GT(first.stages[1].tokens_per_second, 0);
    ASSERT_EQ(first.others.size(), 2u);
    EXPECT_EQ(first.others.at("c4").overall.items, 2);
    EXPECT_EQ(to_json(first), read_json_file(out / "summary.json"));
    Planner best = Planner::open(out / "model", at::kFloat, at::kCPU);  // stands by itself
    best.adopt(out / "adapter");

    const auto before = written(out);
    fs::remove_all(folder.path() / "base");
    const Summary again = run_main_job(options, at::kFloat, at::kCPU, out);
    EXPECT_EQ(to_json(again).at("stages"), to_json(first).at("stages"));
    for (const auto& [name, time] : written(out))
        if (name != "summary.json" && !name.starts_with("adapter/") && !name.starts_with("align/adapter/")) {
            ASSERT_TRUE(before.contains(name)) << name;
            EXPECT_EQ(before.at(name), time) << name;
        }
}

TEST(MainJob, SeedsChangeWhatIsTrainedOnAndNotWhatIsReported) {
    const TemporaryFolder folder;
    test::make_tiny_planner(folder.path() / "base");
    std::vector<std::string> dev, sft;
    for (const uint64_t seed : {1, 2}) {
        const fs::path out = folder.path() / std::to_string(seed);
        run_main_job(tiny_job(folder.path() / "base", seed), at::kFloat, at::kCPU, out);
        dev.push_back(read_file(out / "instructions" / "dev" / "instructions.jsonl"));
        sft.push_back(read_file(out / "instructions" / "sft" / "instructions.jsonl"));
    }
    EXPECT_EQ(dev[0], dev[1]);
    EXPECT_NE(sft[0], sft[1]);
}

}  // namespace
}  // namespace craft
