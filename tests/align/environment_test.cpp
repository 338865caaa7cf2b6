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
    const auto open = [&](const Planner* lender) { return open_language_model(options, lender, at::kFloat, at::kCPU); };
    const auto is_lent = [&](const LanguageModel& opened) {
        return opened.tokenizer == planner.tokenizer && opened.decoder.embedding().is_same(planner.base.embedding());
    };
    EXPECT_TRUE(is_lent(open(&planner)));
    EXPECT_TRUE(open(&planner).decoder.trainable().empty()) << "the adapter is the planner's alone";
    EXPECT_EQ(language_model_folder(options), "");
    options.perplexity_model = model;
    EXPECT_TRUE(is_lent(open(&planner))) << "the same folder";
    EXPECT_FALSE(is_lent(open(nullptr)));
    options.perplexity_model = other;
    EXPECT_FALSE(is_lent(open(&planner)));
    EXPECT_EQ(language_model_folder(options), other);
    options.scorers = {};
    EXPECT_EQ(open(&planner).tokenizer, nullptr) << "nothing to measure";
    EXPECT_EQ(language_model_folder(options), "");
}

}  // namespace
}  // namespace craft
