#include "align/environment.h"

#include <gtest/gtest.h>

#include "tests/align/tiny_planner.h"
#include "tests/core/temporary_folder.h"

namespace craft {
namespace {

TEST(LanguageModelOfQuality, IsThePlannersBaseUnlessAnotherOneIsNamed) {
    const TemporaryFolder folder;
    const std::filesystem::path model = folder.path() / "model", other = folder.path() / "other";
    test::make_tiny_planner(model);
    std::filesystem::copy(model, other, std::filesystem::copy_options::recursive);
    Planner planner = Planner::open(model, at::kFloat, at::kCPU);
    Rng rng(1, "adapter");
    planner.decoder.add_adapter({.rank = 2, .targets = {"q_proj"}}, rng);
    EnvironmentOptions options;
    const auto open = [&] { return open_language_model(options, planner, at::kFloat, at::kCPU); };
    const auto is_lent = [&](const LanguageModel& opened) {
        return opened.tokenizer == planner.tokenizer && opened.decoder.embedding().is_same(planner.base.embedding());
    };
    EXPECT_TRUE(is_lent(open()));
    EXPECT_TRUE(open().decoder.trainable().empty()) << "the adapter is the planner's alone";
    EXPECT_EQ(language_model_folder(options), "");
    options.perplexity_model = model;
    EXPECT_TRUE(is_lent(open())) << "the same folder";
    EXPECT_FALSE(is_lent(open_language_model(options, at::kFloat, at::kCPU))) << "without a planner";
    options.perplexity_model = other;
    EXPECT_FALSE(is_lent(open()));
    EXPECT_EQ(language_model_folder(options), other);
    options.scorers = {};
    EXPECT_EQ(open().tokenizer, nullptr) << "nothing to measure";
    EXPECT_EQ(language_model_folder(options), "");
}

// Perplexity in bfloat16 differs from that in float32 where the model that the scorer opens by itself computes in it.
TEST(RevisionEnvironments, ScorersComputeAsTheRunDoes) {
    const TemporaryFolder folder;
    test::make_tiny_planner(folder.path());
    const Planner planner = Planner::open(folder.path(), at::kFloat, at::kCPU);
    const EnvironmentOptions options = test::environment_options("compact", {"perplexity:" + folder.path().string()});
    Instruction instruction;
    instruction.text = "The river rose in the night.";
    const std::string text = "The river rose.";
    const ParsedCalls calls;
    std::vector<double> measured;
    for (const at::ScalarType dtype : {at::kFloat, at::kBFloat16}) {
        RevisionEnvironment environment(options, LanguageModel{planner.base, planner.tokenizer}, dtype, at::kCPU);
        const MeasuredText original(instruction.text, environment.sentences()), revised(text, environment.sentences());
        measured.push_back(environment.judge().judge({{&instruction, &calls, &original, &revised}})[0].quality[0].revision);
        const auto scorer = open_scorers(options.scorers, {.sentences = environment.sentences(), .dtype = dtype}).at(0);
        EXPECT_EQ(measured.back(), scorer->score({{instruction.text, text}}).at(0));
    }
    EXPECT_NE(measured[0], measured[1]);
}

}  // namespace
}  // namespace craft
