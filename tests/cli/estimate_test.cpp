// `--estimate`: it needs no weights and no run folder, writes nothing, and says what it cannot do.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "cli/training.h"
#include "core/files.h"
#include "core/json.h"
#include "core/machine.h"
#include "tests/cli/command_inputs.h"
#include "tests/model/huge_model.h"

namespace craft {
namespace {

namespace fs = std::filesystem;
using test::Arguments;
using test::run_command;
using testing::HasSubstr;

class EstimateCommand : public test::CommandInputs {
protected:
    EstimateCommand() {
        test::make_random_model(folder_.path() / "bare", test::kSmallModel);
        fs::remove(folder_.path() / "bare/model.safetensors");
    }
    Json estimate(const Arguments& arguments) {
        Arguments all = arguments;
        all.insert(all.end(), {"--estimate", "--device", "cpu", "--threads", "1", "--quiet"});
        const auto outcome = run_command(test::filled(all, "{dir}", dir()));
        EXPECT_EQ(outcome.code, 0) << outcome.err;
        return outcome.code == 0 ? Json::parse(outcome.out) : Json();
    }
};

TEST_F(EstimateCommand, NeedsNoWeightsAndWritesNothing) {
    const size_t before = folder_.count();
    const Json told =
        estimate({"sft", "--model", "{dir}/bare", "--data", "{dir}/sft.jsonl", "--epochs", "3", "--dtype", "float32"});
    EXPECT_EQ(folder_.count(), before);
    EXPECT_EQ(told["steps"], 3);
    EXPECT_EQ(told["ranks"], 1);
    EXPECT_EQ(told["place"]["dtype"], "float32");
    EXPECT_GT(told["peak_memory_bytes"], 50e6);
    EXPECT_GT(told["seconds_per_step"], 0);
    EXPECT_TRUE(told["extrapolated"].is_null()) << "a model that is small enough is measured whole";
    EXPECT_EQ(told["measured"].size(), 1u);
    EXPECT_GE(told["peak_memory_bytes"], told["memory_bytes"]["in_backward"]);
}

TEST_F(EstimateCommand, TakesEveryFormOfTraining) {
    const Arguments pairs = {"align", "--model", "{dir}/bare", "--pairs", "{dir}/pairs.jsonl"};
    for (const Arguments& more :
         {Arguments{"--loss", "cpo_simpo", "--dtype", "bfloat16"}, Arguments{"--full"},
          Arguments{"--recompute-layers", "-1"}, Arguments{"--lora-upper", "0.25"}, Arguments{"--quantize", "nf4"},
          Arguments{"--lora-dropout", "0.1", "--lora-targets", "all-linear"}}) {
        Arguments all = pairs;
        all.insert(all.end(), more.begin(), more.end());
        EXPECT_GT(estimate(all)["peak_memory_bytes"], 50e6) << more.front();
    }
}

// One forward pass: two operations a weight where the training of an adapter has four, and four of attention's fourteen, so
// that it takes from two sevenths of an epoch to a half.
TEST_F(EstimateCommand, CountsThePassThroughAReference) {
    const Arguments pairs = {"align", "--model", "{dir}/bare", "--pairs", "{dir}/pairs.jsonl", "--epochs", "3"};
    const auto of_loss = [&](const std::string& loss) {
        Arguments all = pairs;
        all.insert(all.end(), {"--loss", loss});
        return estimate(all);
    };
    const Json dpo = of_loss("dpo"), cpo = of_loss("cpo");
    const double epoch = dpo["seconds_per_step"].get<double>(), before = dpo["logprob_seconds"].get<double>();
    EXPECT_GT(before, epoch / 4);
    EXPECT_LE(before, epoch / 2);
    EXPECT_NEAR(dpo["seconds"].get<double>(), 3 * epoch + before, 1e-9);
    EXPECT_FALSE(cpo.contains("logprob_seconds"));
    EXPECT_NEAR(cpo["seconds"].get<double>(), 3 * cpo["seconds_per_step"].get<double>(), 1e-9);
}

TEST_F(EstimateCommand, FullTrainingTakesMoreAndRanksDivideIt) {
    const Arguments full = {"sft", "--model", "{dir}/bare", "--data", "{dir}/sft.jsonl", "--full"};
    const Json alone = estimate(full);
    for (const auto& [name, value] : {std::pair{"RANK", "0"},
                                      {"WORLD_SIZE", "4"},
                                      {"LOCAL_RANK", "0"},
                                      {"MASTER_ADDR", "127.0.0.1"},
                                      {"MASTER_PORT", "29517"}})
        ::setenv(name, value, 1);
    const Json one_of_four = estimate(full);
    for (const char* name : {"RANK", "WORLD_SIZE", "LOCAL_RANK", "MASTER_ADDR", "MASTER_PORT"}) ::unsetenv(name);
    EXPECT_EQ(one_of_four["ranks"], 4);
    EXPECT_LT(one_of_four["memory_bytes"]["in_update"], alone["memory_bytes"]["in_update"]);
}

// Weights of a fifth of the memory: with as much for training one rank fits, three do not.
TEST_F(EstimateCommand, WarnsOfWhatMemoryDoesNotHold) {
    const fs::path huge = folder_.path() / "huge";
    fs::create_directory(huge);
    const int64_t fifth = this_machine().memory_bytes / 5;
    test::make_huge_model(huge, fifth, "F32");
    TrainingOptions options;
    options.model = huge;
    const ProbedModel model{read_decoder_config(huge), {}, at::kFloat, at::kCPU, Quantization::none};
    const auto warnings = [&](int64_t peak, int64_t ranks) {
        testing::internal::CaptureStderr();
        Estimate estimate;
        estimate.peak_memory = peak;
        warn_beyond_memory(options, model, estimate, ranks);
        return testing::internal::GetCapturedStderr();
    };
    EXPECT_EQ(warnings(2 * fifth, 1), "");
    EXPECT_THAT(warnings(6 * fifth, 1), testing::AllOf(HasSubstr("warning: " + huge.string() + ": expected memory for "),
                                                       HasSubstr(" GB of what training takes beyond the weights, got "),
                                                       HasSubstr("--recompute-layers")));
    EXPECT_THAT(warnings(2 * fifth, 3), HasSubstr(" of weights in float32 in 3 ranks and "));
    options.train.full = true;
    EXPECT_THAT(warnings(6 * fifth, 1), HasSubstr("an adapter instead of all weights"));
}

// Texts of 45 bytes, so of ten tokens: prompts of 970, responses of 118. Of 20 instructions 12 give a pair. Nothing is made.
TEST_F(EstimateCommand, TellsWhatRoundsAskAndTrain) {
    folder_.file("texts.jsonl", "{\"text\":\"" + std::string(45, 'a') + "\"}\n");
    const size_t before = folder_.count();
    const Arguments rounds = {"align",
                              "--iter",
                              "2",
                              "--model",
                              "{dir}/bare",
                              "--texts",
                              "{dir}/texts.jsonl",
                              "--set",
                              "rounds.instructions=10",
                              "--set",
                              "rounds.history_steps=1",
                              "--set",
                              "data.test=0",
                              "--set",
                              "dev_count=3",
                              "--set",
                              "selection_count=2"};
    const Json measured = estimate(rounds);
    const Json& planner = measured["roles"]["planner"];
    EXPECT_EQ(planner["requests"], 2 * 10 * 4 + 3 * 5);
    EXPECT_EQ(planner["prompt_tokens"], 95 * 970);
    EXPECT_EQ(planner["new_tokens"], 95 * 118);
    EXPECT_GT(planner["operations"], 0);
    const Json& training = measured["trainings"]["rounds"];
    EXPECT_EQ(training["examples"], 12);
    EXPECT_EQ(training["tokens"], 12 * (970 + 2 * 118));
    EXPECT_GT(training["peak_memory_bytes"], 3'500'000);
    EXPECT_TRUE(measured["hours"].is_null()) << "nothing is said of new tokens";
    EXPECT_EQ(measured["usd"], 0);
    Arguments stated = rounds;
    stated.insert(stated.end(), {"--set", "rates.operations=1e9", "--set", "rates.new_tokens=" + std::to_string(95 * 118)});
    const Json told = estimate(stated);
    EXPECT_FALSE(told["trainings"]["rounds"].contains("peak_memory_bytes"));
    EXPECT_GT(told["hours"], 1.0 / 3600) << "a second of new tokens, and what is computed";
    EXPECT_EQ(folder_.count(), before);
    Arguments groups = stated;
    groups.insert(groups.end(), {"--method", "grpo", "--epochs", "2", "--set", "rounds.control=true"});
    const Json of_groups = estimate(groups);
    EXPECT_EQ(of_groups["trainings"]["rounds"]["tokens"], 2 * 12 * (970 + 4 * 118));
    EXPECT_EQ(of_groups["trainings"]["rounds"]["logprob_tokens"], 12 * (970 + 4 * 118));
    EXPECT_EQ(of_groups["trainings"]["control"]["tokens"], 2 * 12 * (970 + 4 * 118));
    EXPECT_EQ(of_groups["roles"]["planner"]["requests"], 95 + 3) << "the control on the dev set";
}

// As a stage of an experiment it is the same.
TEST_F(EstimateCommand, OfAnExperimentTellsARoundsReference) {
    folder_.file("texts.jsonl", "{\"text\":\"" + std::string(45, 'a') + "\"}\n");
    const Json options = {{"rounds", {{"count", 2}, {"instructions", 10}, {"history_steps", 1}, {"control", true}}},
                          {"model", "{model}"},
                          {"texts", "{texts}"},
                          {"out", "{out}/rounds"}};
    Json dpo = options, groups = options;
    dpo["loss"] = {{"name", "dpo"}, {"reference", "base"}};
    groups["rounds"]["method"] = "dr_grpo";
    groups["grpo"]["beta"] = 0.1;
    groups["out"] = "{out}/groups";
    const Json experiment = {
        {"variables", {{"model", dir() + "/bare"}, {"texts", dir() + "/texts.jsonl"}}},
        {"stages",
         {{"dpo", {{"command", "align"}, {"options", dpo}}}, {"groups", {{"command", "align"}, {"options", groups}}}}}};
    const std::string file = folder_.file("experiment.json", experiment.dump());
    const auto outcome = run_command({"run", file, "--out", dir() + "/out", "--estimate", "--set", "rates.operations=1e12"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const Json told = parse_json(outcome.out, "estimate");
    const int64_t pairs = 12 * (970 + 2 * 118), responses = 12 * (970 + 4 * 118);
    EXPECT_EQ(told["stages"]["dpo"]["trainings"]["rounds"]["logprob_tokens"], pairs);
    EXPECT_EQ(told["stages"]["groups"]["trainings"]["rounds"]["logprob_tokens"], responses);
    EXPECT_EQ(told["stages"]["groups"]["trainings"]["control"]["tokens"], responses);
    EXPECT_EQ(told["total"]["trained_tokens"], 2 * (pairs + responses)) << "rounds and controls";
}

TEST_F(EstimateCommand, SaysWhatItCannotDo) {
    EXPECT_THAT(
        failure({"sft", "--model", "{model}", "--data", "{dir}/sft.jsonl", "--estimate", "--set", "rates.operations=1"}),
        HasSubstr("rates.operations"));
    folder_.file("none.jsonl", "");
    EXPECT_THAT(failure({"sft", "--model", "{model}", "--data", "{dir}/none.jsonl", "--estimate", "--quiet"}),
                HasSubstr("none.jsonl"));
    EXPECT_THAT(failure({"sft", "--model", "{model}", "--data", "{dir}/sft.jsonl"}), HasSubstr("missing --out"));
}

}  // namespace
}  // namespace craft
