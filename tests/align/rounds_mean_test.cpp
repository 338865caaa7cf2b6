// A round's planner as the mean of the rounds' adapters.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "core/files.h"
#include "model/weights/safetensors.h"
#include "tests/align/align_fixture.h"

namespace craft {
namespace {

namespace fs = std::filesystem;
using test::Align;
using testing::ElementsAre;

// The weights of adapter folders by name, in their mean.
std::map<std::string, at::Tensor> mean_of(const std::vector<fs::path>& folders) {
    std::map<std::string, at::Tensor> mean;
    for (const fs::path& folder : folders) {
        const SafetensorsFile file(folder / "adapter_model.safetensors");
        for (const std::string& name : file.names()) {
            const at::Tensor part = file.tensor(name) / static_cast<double>(folders.size());
            mean[name] = mean.contains(name) ? mean[name] + part : part;
        }
    }
    return mean;
}

// Each training resumes where the one before it ended, and what plans, is evaluated and may be chosen is their mean.
TEST_F(Align, ARoundsPlannerCanBeTheMeanOfTheTrainings) {
    AlignOptions options = test::tiny_options();
    options.rounds = 3;
    options.mean = true;
    options.control = true;
    options.sampling.max_new_tokens = 12;
    options.train.lr = 1.25e-2;  // so that there is something left to learn in the third round
    const Run done = run(options, folder_.path());
    ASSERT_THAT(names(done.summary), ElementsAre("base", "round-1", "round-2", "round-3", "control"));
    const auto round = [&](int n) { return folder_.path() / ("round-" + std::to_string(n)); };
    const auto trained = [&](int n) { return round(n) / "train" / "adapter"; };
    const auto control = [&](int n) { return folder_.path() / "control" / ("round-" + std::to_string(n)) / "adapter"; };
    EXPECT_FALSE(fs::exists(round(1) / "mean"));
    for (const auto& [mean, of] : std::map<fs::path, std::vector<fs::path>>{
             {round(2) / "mean", {trained(1), trained(2)}},
             {round(3) / "mean", {trained(1), trained(2), trained(3)}},
             {folder_.path() / "control" / "mean", {control(1), control(2), control(3)}}}) {
        const auto expected = mean_of(of), got = mean_of({mean});
        ASSERT_EQ(got.size(), expected.size());
        for (const auto& [name, weights] : expected)
            EXPECT_TRUE(at::allclose(got.at(name), weights, 1e-5, 1e-7)) << mean << ": " << name;
    }

    Planner planner = Planner::open(model_, at::kFloat, at::kCPU);
    RevisionEnvironment environment = test::environment_of(planner);
    planner.load_adapter(trained(2));
    const RoundData data = make_round_data(planner, environment, {}, options, 3, round(3));
    train_round(planner, data, options, 3, folder_.path() / "alone");
    EXPECT_EQ(adapter(trained(3)), adapter(folder_.path() / "alone" / "adapter"));

    planner.load_adapter(round(2) / "mean");
    fs::create_directories(folder_.path() / "again");
    make_round_data(planner, environment, {test::some_texts("train", 8), {}, {}}, options, 3, folder_.path() / "again");
    EXPECT_EQ(read_file(round(3) / "pairs" / "responses.jsonl"), read_file(folder_.path() / "again/pairs/responses.jsonl"));

    // The last training alone would have answered otherwise.
    const auto dev = test::some_instructions(environment, "dev", 4);
    const auto answers = [&](const fs::path& adapter_folder) {
        planner.load_adapter(adapter_folder);
        const fs::path folder = folder_.path() / "answers";
        fs::remove_all(folder);
        evaluate_stage(planner, environment, dev, options.sampling, folder);
        return read_file(folder / "items.jsonl");
    };
    EXPECT_EQ(read_file(round(2) / "dev" / "items.jsonl"), answers(round(2) / "mean"));
    EXPECT_EQ(read_file(folder_.path() / "control/dev/items.jsonl"), answers(folder_.path() / "control" / "mean"));
    EXPECT_NE(answers(round(2) / "mean"), answers(trained(2)));

    ASSERT_THAT(done.summary.best, testing::AnyOf("round-2", "round-3"));
    EXPECT_EQ(adapter(folder_.path() / "adapter"), adapter(folder_.path() / done.summary.best / "mean"));
}

}  // namespace
}  // namespace craft
