#include "model/spec/adapter_rules.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "core/error.h"

namespace craft {
namespace {

const std::string kQ0 = "model.layers.0.self_attn.q_proj", kQ1 = "model.layers.1.self_attn.q_proj",
                  kQ10 = "model.layers.10.self_attn.q_proj", kDown = "model.layers.1.mlp.down_proj";

AdapterRules rules(const LoraOptions& options) {
    return {options, "test"};
}

// The names are those that PEFT's check_target_module_exists was read for.
TEST(AdapterRules, NamesAreWholeOrEndsBehindADot) {
    const AdapterRules some = rules({.targets = {"q_proj", kDown}});
    EXPECT_TRUE(some.is_target(kQ0));
    EXPECT_TRUE(some.is_target("q_proj"));
    EXPECT_TRUE(some.is_target(kDown));
    EXPECT_FALSE(some.is_target("model.layers.0.mlp.down_proj"));
    EXPECT_FALSE(some.is_target("model.layers.0.self_attn.my_q_proj"));
}

TEST(AdapterRules, AnExpressionMatchesTheWholeName) {
    LoraOptions options;
    options.target_expression = R"(.*\.(0|1)\..*_proj)";
    EXPECT_TRUE(rules(options).is_target(kQ0));
    EXPECT_FALSE(rules(options).is_target(kQ10));
    options.target_expression = "q_proj";
    EXPECT_FALSE(rules(options).is_target(kQ0));
}

TEST(AdapterRules, ExcludedAndSavedModulesAreNoTargets) {
    LoraOptions options{.targets = {"q_proj", "down_proj"}, .excluded = {"layers.1.self_attn.q_proj"}};
    EXPECT_TRUE(rules(options).is_target(kQ0));
    EXPECT_FALSE(rules(options).is_target(kQ1));
    options.excluded_expression = R"(.*\.0\..*)";
    EXPECT_FALSE(rules(options).is_target(kQ0));
    EXPECT_TRUE(rules(options).is_target(kDown));
    options.saved_modules = {"mlp"};
    EXPECT_FALSE(rules(options).is_target(kDown));
    EXPECT_TRUE(rules(options).is_saved(kDown));
    EXPECT_FALSE(rules(options).is_saved(kQ0));
}

TEST(AdapterRules, SavedModulesAreEndsOfNames) {
    const AdapterRules some = rules({.saved_modules = {"norm", "embed_tokens"}});
    EXPECT_TRUE(some.is_saved("model.norm"));
    EXPECT_TRUE(some.is_saved("model.layers.0.input_layernorm"));
    EXPECT_TRUE(some.is_saved("model.embed_tokens"));
    EXPECT_FALSE(some.is_saved("lm_head"));
}

TEST(AdapterRules, LayersDoNotConcernWholeNames) {
    const AdapterRules some = rules({.targets = {"q_proj", kDown, "lm_head"}, .layers = {0}});
    EXPECT_TRUE(some.is_target(kQ0));
    EXPECT_FALSE(some.is_target(kQ1));
    EXPECT_TRUE(some.is_target(kDown));
    EXPECT_TRUE(some.is_target("lm_head"));
}

TEST(AdapterRules, LayersAreTheFirstNumberOfTheName) {
    LoraOptions options{.targets = {"q_proj"}, .layers = {1}};
    EXPECT_FALSE(rules(options).is_target(kQ0));
    EXPECT_TRUE(rules(options).is_target(kQ1));
    EXPECT_FALSE(rules(options).is_target(kQ10));
    options.layers_patterns = {"h", "layers"};
    EXPECT_TRUE(rules(options).is_target(kQ1));
    options.layers_patterns = {"h"};
    EXPECT_FALSE(rules(options).is_target(kQ1));
    EXPECT_TRUE(rules(options).is_target("h.1.q_proj"));
}

TEST(AdapterRules, PatternsOfRanksAndAlphas) {
    LoraOptions options{.rank = 8, .alpha = 4};
    options.ranks = {{"layers.0.self_attn.q_proj", 2}, {"q_proj", 16}, {R"(layers\.1\..*)", 32}};
    options.alphas = {{"down_proj", 64}};
    EXPECT_EQ(rules(options).rank(kQ0), 2);
    EXPECT_EQ(rules(options).rank(kQ1), 16);  // the first that matches
    EXPECT_EQ(rules(options).rank(kDown), 32);
    EXPECT_EQ(rules(options).rank("model.layers.0.mlp.up_proj"), 8);
    EXPECT_EQ(rules(options).scale(kDown), 64.0 / 32);
    EXPECT_EQ(rules(options).scale(kQ1), 4.0 / 16);
    options.rslora = true;
    EXPECT_EQ(rules(options).scale(kQ1), 4.0 / std::sqrt(16.0));
}

std::string failure_of(const AdapterRules& some, const std::vector<std::string>& targets) {
    try {
        some.check_patterns(targets, "test");
    } catch (const Error& error) {
        return error.what();
    }
    return "none";
}

TEST(AdapterRules, EachPatternMatchesATarget) {
    LoraOptions options;
    options.ranks = {{"q_proj", 4}, {R"(layers\.1\..*)", 2}};
    options.alphas = {{"^model.*down_proj", 4}};
    EXPECT_EQ(failure_of(rules(options), {kQ0, kDown}), "none");
    EXPECT_EQ(failure_of(rules(options), {kQ0, kQ1}),
              "test: alpha_pattern: expected patterns of targets, one of which is '" + kQ0 +
                  "', got '^model.*down_proj', which matches none");
    options.alphas.clear();
    EXPECT_EQ(failure_of(rules(options), {kQ0, kQ1}), "none");
    EXPECT_THAT(failure_of(rules(options), {kQ0}), testing::StartsWith("test: rank_pattern: "));
    options.ranks = {{"proj", 4}};  // only whole names come after a dot
    EXPECT_THAT(failure_of(rules(options), {kQ0}), testing::HasSubstr("got 'proj', which matches none"));
}

TEST(AdapterRules, ABrokenExpressionIsNamed) {
    LoraOptions options;
    options.ranks = {{"(", 2}};
    EXPECT_THROW(rules(options), Error);
}

}  // namespace
}  // namespace craft
