#include "judge/scorers/registry.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <torch/types.h>

#include <cmath>

#include "judge/scorers/bertscore.h"
#include "tests/core/temporary_folder.h"
#include "tests/source.h"

namespace craft {
namespace {

using testing::HasSubstr;

const std::string kExampleEncoder = test_source("/share/examples/encoder");

std::string opening_failure(const std::string& name, const ScorerResources& resources = {}) {
    return message_of([&] { open_scorers({name}, resources); });
}

TEST(ScorerNames, WhatStandsBehindThem) {
    EXPECT_EQ(scorer_kind("external:a:b,c").name, "external");
    EXPECT_TRUE(names_scorer("external:a:b", scorer_kind("external")));
    EXPECT_FALSE(names_scorer("external", scorer_kind("external")));
    EXPECT_FALSE(names_scorer("external:", scorer_kind("external")));
    EXPECT_TRUE(names_scorer("entities", scorer_kind("entities")));
    EXPECT_TRUE(names_scorer("entities:x", scorer_kind("entities")));
    EXPECT_FALSE(names_scorer("latex:x", scorer_kind("latex")));
    EXPECT_EQ(scorer_form(scorer_kind("external")), "external:COMMAND");
    EXPECT_EQ(scorer_form(scorer_kind("entities")), "entities[:COMMAND]");
    EXPECT_EQ(scorer_form(scorer_kind("latex")), "latex");
    EXPECT_TRUE(need_language_model({"latex", "perplexity"}));
    EXPECT_FALSE(need_language_model({"perplexity:some/model", "external:x"}));
    EXPECT_FALSE(scorer_kind("perplexity").more_is_better);
    EXPECT_TRUE(scorer_kind("bartscore_f:x").more_is_better);
}

TEST(ScorerNames, WhatTheyLackIsSaid) {
    EXPECT_EQ(opening_failure("bartscore"), "scorer bartscore: expected bartscore:MODEL, got 'bartscore'");
    EXPECT_EQ(opening_failure("latex:x"), "scorer latex: expected latex, got 'latex:x'");
    EXPECT_THAT(opening_failure("bart:x"), HasSubstr("unknown scorer 'bart'; known: bartscore, "));
    EXPECT_EQ(opening_failure("entities"),
              "scorer entities: expected a recogniser of names, got none (give a command, entities:COMMAND)");
    EXPECT_THAT(opening_failure("perplexity"), HasSubstr("give --perplexity-model"));
    EXPECT_THAT(opening_failure("some:/nowhere"), HasSubstr("/nowhere"));
    EXPECT_THAT(opening_failure("bartscore:" + kExampleEncoder), HasSubstr("BertModel"));
}

TEST(ScorerNames, OpenWhatTheyName) {
    const std::vector<ScoredPair> pairs = {{"The river rose", "The old river"}, {"a", "a"}};
    const auto scorers = open_scorers({"bertscore:" + kExampleEncoder, "entities", "external:sed -u 's/}$/,\"score\":2}/'"},
                                      {.entities = [](const std::string&) { return std::vector<std::string>{"river"}; }});
    ASSERT_EQ(scorers.size(), 3u);
    const BertScorer plain(Encoder::load(kExampleEncoder, at::kFloat, at::kCPU), open_tokenizer(kExampleEncoder));
    const auto expected = plain.score({{"The old river", {"The river rose"}}, {"a", {"a"}}});
    EXPECT_EQ(scorers[0]->name(), "bertscore");
    EXPECT_EQ(scorers[0]->score(pairs), (std::vector<double>{*expected[0].f1, *expected[1].f1}));
    EXPECT_EQ(scorers[1]->score(pairs), (std::vector<double>{1, 1}));
    EXPECT_EQ(scorers[2]->score(pairs), (std::vector<double>{2, 2}));
}

TEST(ScorerScales, OfTheReward) {
    EXPECT_DOUBLE_EQ(bartscore_quality(-4, -2), 75);  // 100 (6) / (8)
    EXPECT_DOUBLE_EQ(bartscore_quality(-1, -2), 100);
    EXPECT_DOUBLE_EQ(bartscore_quality(-12, -2), 0);
    EXPECT_DOUBLE_EQ(bartscore_quality(-4, -10), 0);
    EXPECT_DOUBLE_EQ(bartscore_quality(std::nan(""), -2), 0);
    EXPECT_DOUBLE_EQ(share_quality(0.37, 0), 37);
    EXPECT_DOUBLE_EQ(share_quality(-0.2, 1), 0);
    EXPECT_DOUBLE_EQ(share_quality(1.2, 1), 100);
}

}  // namespace
}  // namespace craft
