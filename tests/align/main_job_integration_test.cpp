// The whole main job on a planner that babbles: what it leaves behind, that run again it repeats nothing, and what seeds
// change.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "align/main_job.h"
#include "core/files.h"
#include "tests/align/tiny_planner.h"
#include "tests/core/temporary_folder.h"
#include "tests/source.h"

namespace craft {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::UnorderedElementsAre;

MainJobOptions tiny_job(const fs::path& model, uint64_t seed) {
    MainJobOptions options;
    options.base_model = model;
    options.texts = fs::path(test_source()) / "share" / "texts";
    options.trajectories = 12;
    options.teacher_steps = 2;
    options.selection = 3;
    options.dev = 6;
    options.others = 2;
    options.environment = test::environment_options();
    options.align = test::tiny_options();
    options.align.rounds = 1;
    options.align.control = true;
    options.align.test = 10;
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
    testing::internal::CaptureStderr();
    const Summary first = run_main_job(options, at::kFloat, at::kCPU, out);
    const std::string said = testing::internal::GetCapturedStderr();
    EXPECT_THAT(said,
                testing::ContainsRegex("the whole job will take about [0-9]+ (seconds|minutes) and [0-9]+\\.[0-9] GB"));
    for (const char* part : {"base/dev", "sft", "align/start/dev", "align/start/selection", "align/round-1/pairs",
                             "align/control/dev", "align/test/sft", "align/test/best", "others/c0"})
        EXPECT_THAT(said, HasSubstr(std::string(part) + ": ")) << "a part that was expected";

    std::vector<std::string> names;
    for (const SummaryStage& stage : first.stages) names.push_back(stage.name);
    EXPECT_THAT(names, ElementsAre("base", "sft", "round-1", "control"));
    for (const SummaryStage& stage : first.stages) EXPECT_EQ(stage.dev.overall.items, 6) << stage.name;
    EXPECT_GT(first.stages[1].tokens_per_second, 0);
    ASSERT_EQ(first.others.size(), 2u);
    EXPECT_EQ(first.others.at("c4").overall.items, 2);
    names.clear();
    for (const SummaryStage& row : first.test) names.push_back(row.name);
    names.resize(std::min<size_t>(names.size(), 2));  // a control's where a round is best
    EXPECT_THAT(names, ElementsAre("sft", "best"));
    double seconds = first.others.at("c0").seconds + first.others.at("c4").seconds;
    for (const auto* rows : {&first.stages, &first.test})
        for (const SummaryStage& row : *rows) seconds += row.seconds;
    EXPECT_GE(first.seconds, seconds - 1e-6);
    EXPECT_EQ(to_json(first), read_json_file(out / "summary.json"));
    ASSERT_FALSE(first.differences.empty());
    EXPECT_EQ(first.differences[0].row + " - " + first.differences[0].other, "sft - base");
    EXPECT_EQ(first.differences[0].figures.at("constraint_f1").items, 6);
    ASSERT_FALSE(first.test_differences.empty());
    EXPECT_EQ(first.test_differences[0].row + " - " + first.test_differences[0].other, "best - sft");
    Planner best = Planner::open(out / "model", at::kFloat, at::kCPU);
    best.load_adapter(out / "adapter");

    const auto before = written(out);
    const Summary again = run_main_job(options, at::kFloat, at::kCPU, out);
    for (const char* rows : {"stages", "test", "differences", "test_differences"})
        EXPECT_EQ(to_json(again).at(rows), to_json(first).at(rows)) << rows;
    for (const auto& [name, time] : written(out))
        if (name != "summary.json" && !name.starts_with("adapter/") && !name.starts_with("align/adapter/")) {
            ASSERT_TRUE(before.contains(name)) << name;
            EXPECT_EQ(before.at(name), time) << name;
        }
}

// The user's model stays where it is; the run folder names it, with the chat template that the run was given.
TEST(MainJob, NamesTheModelThatItWasGiven) {
    const TemporaryFolder folder;
    test::make_tiny_planner(folder.path() / "base");
    const fs::path out = folder.path() / "run";
    MainJobOptions options = tiny_job(folder.path() / "base", 1);
    options.chat_template = "phi-3";
    EXPECT_EQ(message_of([&] { run_main_job(options, at::kFloat, at::kCPU, out, [] { throw Error("far enough"); }); }),
              "far enough");
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(out / "model")) names.push_back(entry.path().filename());
    EXPECT_THAT(names, UnorderedElementsAre("model_reference.json", "chat_template.jinja", "complete.json"));
    const std::vector<Message> question = {{Role::user, "the river"}};
    const Planner planner = Planner::open(out / "model", at::kFloat, at::kCPU);
    EXPECT_EQ(planner.chat->render(question, {.generation_prompt = true}), "<|user|>\nthe river<|end|>\n<|assistant|>\n");
    EXPECT_EQ(open_chat_template(options.base_model)->render(question, {.generation_prompt = true}).find("<|user|>"),
              std::string::npos);
    // As a base of another run, too.
    options = tiny_job(out / "model", 1);
    EXPECT_EQ(message_of([&] {
                  run_main_job(options, at::kFloat, at::kCPU, folder.path() / "next", [] { throw Error("far enough"); });
              }),
              "far enough");
    const Planner next = Planner::open(folder.path() / "next/model", at::kFloat, at::kCPU);
    EXPECT_EQ(next.chat->render(question, {.generation_prompt = true}),
              planner.chat->render(question, {.generation_prompt = true}));
    fs::remove_all(folder.path() / "base");
    EXPECT_THAT(message_of([&] { Planner::open(out / "model", at::kFloat, at::kCPU); }),
                HasSubstr("model_reference.json: expected the model in "));
}

TEST(MainJob, SeedsChangeWhatIsTrainedOnAndNotWhatIsReported) {
    const TemporaryFolder folder;
    test::make_tiny_planner(folder.path() / "base");
    std::vector<std::string> dev, test, sft;
    for (const uint64_t seed : {1, 2}) {
        const fs::path out = folder.path() / std::to_string(seed);
        run_main_job(tiny_job(folder.path() / "base", seed), at::kFloat, at::kCPU, out);
        dev.push_back(read_file(out / "instructions" / "dev" / "instructions.jsonl"));
        test.push_back(read_file(out / "align" / "test" / "instructions" / "instructions.jsonl"));
        sft.push_back(read_file(out / "instructions" / "sft" / "instructions.jsonl"));
    }
    EXPECT_EQ(dev[0], dev[1]);
    EXPECT_EQ(test[0], test[1]);
    EXPECT_NE(sft[0], sft[1]);
}

}  // namespace
}  // namespace craft
