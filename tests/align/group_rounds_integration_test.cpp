// Rounds that learn from groups: what is kept and counted, what training computes first, and that a stopped round goes on.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "align/align.h"
#include "core/files.h"
#include "tests/align/align_fixture.h"

namespace craft {
namespace {

namespace fs = std::filesystem;
using test::Align;
using test::timeless;

AlignOptions options_of(Advantage method) {
    AlignOptions options = test::tiny_options();
    options.rounds = 1;
    options.method = method;
    options.train.epochs = 2;
    options.control = true;
    return options;
}

std::vector<Json> json_rows(const fs::path& file) {
    std::vector<Json> all;
    JsonLinesReader reader(file.string());
    while (const auto row = reader.next()) all.push_back(*row);
    return all;
}

TEST_F(Align, GroupsAreKeptCountedAndTrainedOn) {
    AlignOptions options = options_of(Advantage::grpo);
    options.policy.beta = 0.05;
    const Run done = run(options, folder_.path());
    const SummaryStage& round = done.summary.stages.at(1);
    const fs::path folder = folder_.path() / "round-1";
    const std::vector<Json> groups = json_rows(folder / "pairs/groups.jsonl");
    const std::vector<Json> sampled = json_rows(folder / "pairs/responses.jsonl");
    EXPECT_FALSE(fs::exists(folder / "pairs/pairs.jsonl"));
    EXPECT_EQ(round.pairs, static_cast<int64_t>(groups.size()));
    EXPECT_GE(round.pairs, 2);
    int64_t dropped = 0, without_spread = 0;
    for (const auto& [reason, count] : round.dropped) dropped += count;
    EXPECT_EQ(round.pairs + dropped, options.generator.count) << "each instruction is a group or counted";
    for (const Json& row : sampled) {
        std::vector<double> usable;
        for (const Json& response : row.at("responses"))
            if (response.at("finished") == true && !response.contains("unusable") &&
                response.at("response").get<std::string>().find_first_not_of(" \t\r\n") != std::string::npos)
                usable.push_back(response.at("s_a").get<double>());
        if (usable.size() >= 2 &&
            *std::max_element(usable.begin(), usable.end()) - *std::min_element(usable.begin(), usable.end()) <= 1e-9)
            ++without_spread;
    }
    EXPECT_EQ(round.dropped.contains("no spread") ? round.dropped.at("no spread") : 0, without_spread);
    for (const Json& group : groups) {
        EXPECT_EQ(group.at("responses").size(), group.at("rewards").size());
        for (const Json& reward : group.at("rewards")) EXPECT_LE(reward.get<double>(), 1);
    }
    const std::vector<Json> steps = json_rows(folder / "train/metrics.jsonl");
    ASSERT_EQ(std::ssize(steps), 2 * ((round.pairs + 1) / 2)) << "two passes, two groups a step";
    EXPECT_NEAR(steps[0].at("kl").get<double>(), 0, 1e-9) << "the reference is where the round starts";
    EXPECT_EQ(steps[0].at("clipped"), 0);
    EXPECT_GT(steps.back().at("kl").get<double>(), 0);
    EXPECT_GT(steps.back().at("clipped").get<double>(), 0) << "ratios are to the planner that sampled";
    EXPECT_EQ(done.summary.stages.back().name, "control");
    EXPECT_GE(done.summary.stages.back().pairs, round.pairs);

    // What was stored is read again, and gives the same training alone.
    Planner planner = Planner::open(model_, at::kFloat, at::kCPU);
    RevisionEnvironment environment = test::environment_of(planner);
    const RoundData data = make_round_data(planner, environment, {}, options, 1, folder);
    ASSERT_EQ(std::ssize(data.groups), round.pairs);
    train_round(planner, data, options, 1, folder_.path() / "alone");
    EXPECT_EQ(adapter(folder_.path() / "alone/adapter"), adapter(folder / "train/adapter"));
}

// A group that does not fit the model is counted, and the others keep their own rewards.
TEST_F(Align, AGroupThatDoesNotFitIsLeftOutWithItsRewards) {
    const AlignOptions options = options_of(Advantage::rloo);
    Planner planner = Planner::open(model_, at::kFloat, at::kCPU);
    RoundData data;
    for (const double reward : {0.1, 0.4, 0.2}) {
        data.groups.push_back(
            {.prompt = {{Role::user, "Make it short."}}, .responses = {"a b", "c"}, .rewards = {reward, 0.3}});
    }
    std::string words;
    for (int i = 0; i < 20000; ++i) words += "a ";
    data.groups[0].prompt = {{Role::user, words}};
    const TrainedStage trained = train_round(planner, data, options, 1, folder_.path() / "three");
    EXPECT_EQ(trained.examples, 2);
    EXPECT_EQ(total(trained.dropped), 1);
    Planner another = Planner::open(model_, at::kFloat, at::kCPU);
    data.groups.erase(data.groups.begin());
    train_round(another, data, options, 1, folder_.path() / "two");
    EXPECT_EQ(adapter(folder_.path() / "three/adapter"), adapter(folder_.path() / "two/adapter"));
}

// Dr. GRPO divides by the longest that a response may be; the control sees each group's best response alone.
TEST_F(Align, TheLimitOfSamplingAndTheBestResponseReachTraining) {
    AlignOptions options = options_of(Advantage::dr_grpo);
    options.policy.mean = TokenMean::dr_grpo;
    RoundData data;
    data.groups.push_back({.prompt = {{Role::user, "Make it short."}}, .responses = {"a b", "c"}, .rewards = {0.1, 0.3}});
    const auto first_norm = [&](int64_t limit, const std::string& name) {
        options.sampling.max_new_tokens = limit;
        Planner planner = Planner::open(model_, at::kFloat, at::kCPU);
        train_round(planner, data, options, 1, folder_.path() / name);
        return json_rows(folder_.path() / name / "metrics.jsonl").at(0).at("grad_norm").get<double>();
    };
    const double of_six = first_norm(6, "six");
    EXPECT_NEAR(first_norm(12, "twelve") / of_six, 0.5, 1e-5);

    const auto control = [&](const std::string& name) {
        Planner planner = Planner::open(model_, at::kFloat, at::kCPU);
        train_control(planner, data, options, 1, 0, folder_.path() / name);
        return adapter(folder_.path() / name / "adapter");
    };
    const auto of_both = control("both");
    data.groups[0].responses[0] = "c";
    EXPECT_EQ(control("best"), of_both);
    data.groups[0].responses[1] = "a b";
    EXPECT_NE(control("worst"), of_both);
}

// As if the process had been killed before the last update, or before the first: log-probabilities are computed again by the
// planner that the round started from.
TEST_F(Align, AStoppedTrainingOnGroupsEndsWithTheSameBytes) {
    const AlignOptions options = options_of(Advantage::rloo);
    const fs::path whole = folder_.path() / "whole";
    const Run done = run(options, whole);
    std::vector<fs::path> checkpoints;
    for (const auto& entry : fs::directory_iterator(whole / "round-1/train/checkpoints"))
        checkpoints.push_back(entry.path());
    ASSERT_EQ(checkpoints.size(), 2u);
    const fs::path newest = std::max(checkpoints[0], checkpoints[1]).filename();
    for (const bool has_begun : {true, false}) {
        const fs::path part = folder_.path() / (has_begun ? "begun" : "fresh"), train = part / "round-1/train";
        fs::copy(whole, part, fs::copy_options::recursive);
        for (const char* later : {"adapter", "test", "control", "round-1/dev", "round-1/selection", "round-1/row",
                                  "round-1/train/adapter", "round-1/train/complete.json"})
            fs::remove_all(part / later);
        if (has_begun)
            fs::remove(train / "checkpoints" / newest);
        else
            fs::remove_all(train);
        const Run again = run(options, part);
        EXPECT_EQ(timeless(to_json(again.summary)), timeless(to_json(done.summary)));
        for (const char* file : {"round-1/train/adapter/adapter_model.safetensors",
                                 "control/round-1/adapter/adapter_model.safetensors", "adapter/adapter_model.safetensors"})
            EXPECT_EQ(read_file(part / file), read_file(whole / file)) << file;
    }
}

// In the second round the two references are not the same any more.
TEST_F(Align, TheReferenceIsTheRoundsStartOrTheBase) {
    const auto first_divergence = [&](Reference reference, const std::string& name) {
        AlignOptions options = options_of(Advantage::dr_grpo);
        options.rounds = 2;
        options.control = false;
        options.policy.beta = 0.01;
        options.policy.mean = TokenMean::dr_grpo;
        options.train.loss.reference = reference;
        run(options, folder_.path() / name);
        return json_rows(folder_.path() / name / "round-2/train/metrics.jsonl").at(0).at("kl").get<double>();
    };
    EXPECT_NEAR(first_divergence(Reference::start, "start"), 0, 1e-9);
    EXPECT_GT(first_divergence(Reference::base, "base"), 1e-6);
    EXPECT_EQ(read_file(folder_.path() / "base/round-1/train/adapter/adapter_model.safetensors"),
              read_file(folder_.path() / "start/round-1/train/adapter/adapter_model.safetensors"))
        << "in the first one they are";
}

}  // namespace
}  // namespace craft
