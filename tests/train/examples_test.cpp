#include "train/examples.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "core/error.h"
#include "data/tool_usage.h"
#include "tests/train/letter_examples.h"

namespace craft {
namespace {

using test::builder_of, test::letter, test::Letters, test::Turns;
using test::kAssistant, test::kBos, test::kEnd, test::kMerged, test::kNewline, test::kTurnEnd, test::kUser;
using Ids = std::vector<int64_t>;
using Mask = std::vector<uint8_t>;

TEST(PlainStrings, PromptIsTheCommonPrefixAndTheEndIsAppended) {
    auto builder = builder_of();
    ASSERT_TRUE(builder.add_completion("xy", "z", "row"));
    const TokenTree tree = builder.take().trees.at(0);
    EXPECT_TRUE(tree.prefix.empty());
    EXPECT_EQ(tree.branches[0].tokens, (Ids{kBos, letter('x'), letter('y'), letter('z'), kEnd}));
    EXPECT_EQ(tree.branches[0].counted, (Mask{0, 0, 0, 1, 1}));
    EXPECT_TRUE(builder.examples().trees.empty());
}

TEST(PlainStrings, APairKeepsTheGapOfItsRewards) {
    auto builder = builder_of();
    for (const Json& provenance : {Json{{"gap", 12.5}}, Json{{"gap", "large"}}, Json::object()})
        ASSERT_TRUE(builder.add_pair({"x", "y", "z", provenance}, "row"));
    const auto trees = builder.take().trees;
    EXPECT_EQ(trees[0].reward_gap, 12.5);
    EXPECT_FALSE(trees[1].reward_gap || trees[2].reward_gap);
}

TEST(PlainStrings, AMergeAcrossTheSeamBelongsToTheResponse) {
    // "xa" + "b" is x, ab: the common prefix with x, a ends before the merged token.
    auto builder = builder_of();
    builder.add_completion("xa", "b", "row");
    const MaskedTokens row = builder.examples().trees.at(0).branches[0];
    EXPECT_EQ(row.tokens, (Ids{kBos, letter('x'), kMerged, kEnd}));
    EXPECT_EQ(row.counted, (Mask{0, 0, 1, 1}));
    // In a pair the side that merges shortens the prompt of both.
    builder.add_pair({"xa", "b", "c", {}}, "row");
    const TokenTree pair = builder.examples().trees.at(1);
    EXPECT_EQ(pair.prefix, (Ids{kBos, letter('x')}));
    EXPECT_EQ(pair.branches[0].tokens, (Ids{kMerged, kEnd}));
    EXPECT_EQ(pair.branches[1].tokens, (Ids{letter('a'), letter('c'), kEnd}));
    EXPECT_EQ(pair.branches[1].counted, (Mask{1, 1, 1}));
}

TEST(PlainStrings, AnEndTokenThatIsThereIsNotRepeated) {
    auto builder = builder_of();
    builder.add_completion("x", "y<e>", "row");
    EXPECT_EQ(builder.examples().trees.at(0).branches[0].tokens, (Ids{kBos, letter('x'), letter('y'), kEnd}));
}

TEST(PlainStrings, WithoutAPromptTheFirstTokenIsNotPredicted) {
    auto builder = builder_of({}, /*bos=*/false);
    builder.add_completion("", "yz", "row");
    EXPECT_EQ(builder.examples().trees.at(0).branches[0].tokens, (Ids{letter('y'), letter('z'), kEnd}));
    EXPECT_EQ(builder.examples().trees.at(0).branches[0].counted, (Mask{0, 1, 1}));
    builder.add_pair({"", "y", "zz", {}}, "row");
    const TokenTree& pair = builder.examples().trees.at(1);
    EXPECT_TRUE(pair.prefix.empty());
    EXPECT_EQ(pair.branches[0].counted, (Mask{0, 1}));
    pack({pair}, at::kCPU);  // no counted token without a path
}

constexpr int64_t kStart = 9;

TEST(EncoderDecoders, ReadThePromptAndAnswerAfterTheStartToken) {
    auto builder = builder_of({.start_token = kStart});
    ASSERT_TRUE(builder.add_completion("xa", "b", "row"));
    const TokenTree tree = builder.examples().trees.at(0);
    EXPECT_EQ(tree.prefix, (Ids{kBos, letter('x'), letter('a')})) << "no merge across the seam: two texts";
    EXPECT_EQ(tree.branches[0].tokens, (Ids{kStart, letter('b'), kEnd}));
    EXPECT_EQ(tree.branches[0].counted, (Mask{0, 1, 1}));
    ASSERT_TRUE(builder.add_pair({"x", "y", "z", {}}, "row"));
    const TokenTree& pair = builder.examples().trees.at(1);
    EXPECT_EQ(pair.common(), 1) << "the start token";
    EXPECT_EQ(pair.branches[1].tokens, (Ids{kStart, letter('z'), kEnd}));
    EXPECT_FALSE(builder.add_text("y"));
    EXPECT_FALSE(builder.add_completion("x", "", "row"));
    EXPECT_EQ(builder.examples().dropped.at("no prompt for the encoder"), 1);
    EXPECT_EQ(builder.examples().dropped.at("empty response"), 1);
}

TEST(EncoderDecoders, EachTurnOfTheAssistantIsAnExample) {
    auto builder = builder_of({.start_token = kStart});
    ASSERT_TRUE(builder.add_conversation(
        {{Role::user, "u"}, {Role::assistant, "p"}, {Role::user, "v"}, {Role::assistant, " "}, {Role::assistant, "q"}}));
    const Examples examples = builder.take();
    ASSERT_EQ(examples.trees.size(), 2u);
    EXPECT_EQ(examples.empty_turns, 1);
    EXPECT_EQ(examples.trees[0].prefix, (Ids{kUser, letter('u'), kTurnEnd, kNewline, kAssistant}));
    EXPECT_EQ(examples.trees[0].branches[0].tokens, (Ids{kStart, kAssistant, letter('p'), kTurnEnd, kNewline, kEnd}))
        << "a message by the template, and the end";
    EXPECT_GT(examples.trees[1].prefix.size(), examples.trees[0].prefix.size());
}

TEST(Messages, EveryAssistantTurnCountsThroughItsEnd) {
    auto builder = builder_of();
    builder.add_conversation({{Role::user, "u"}, {Role::assistant, "p"}, {Role::user, "v"}, {Role::assistant, "q"}});
    const MaskedTokens row = builder.examples().trees.at(0).branches[0];
    EXPECT_EQ(row.tokens, (Ids{kUser, letter('u'), kTurnEnd, kNewline, kAssistant, letter('p'), kTurnEnd, kNewline,  //
                               kUser, letter('v'), kTurnEnd, kNewline, kAssistant, letter('q'), kTurnEnd}));
    EXPECT_EQ(row.counted, (Mask{0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 1, 1}));
}

TEST(Messages, WhatFollowsTheLastAssistantTurnIsLeftOut) {
    auto builder = builder_of();
    builder.add_conversation({{Role::user, "u"}, {Role::assistant, "p"}, {Role::user, "vvvv"}});
    EXPECT_EQ(builder.examples().trees.at(0).branches[0].tokens.back(), kTurnEnd);
    EXPECT_EQ(builder.examples().trees.at(0).size(), 7);
}

TEST(Messages, InAPairOnlyTheTurnsAfterThePromptCount) {
    const std::vector<Message> history = {{Role::user, "u"}, {Role::assistant, "h"}, {Role::user, "v"}};
    auto builder = builder_of();
    ASSERT_TRUE(builder.add_pair({history, "w", std::vector<Message>{{Role::assistant, "ll"}}, {}}, "row"));
    const TokenTree& pair = builder.examples().trees.at(0);
    EXPECT_EQ(pair.prefix, (Ids{kUser, letter('u'), kTurnEnd, kNewline, kAssistant, letter('h'), kTurnEnd, kNewline,  //
                                kUser, letter('v'), kTurnEnd, kNewline, kAssistant}));
    EXPECT_EQ(pair.branches[0].tokens, (Ids{letter('w'), kTurnEnd}));
    EXPECT_EQ(pair.branches[1].tokens, (Ids{letter('l'), letter('l'), kTurnEnd}));
    EXPECT_EQ(pair.branches[1].counted, (Mask{1, 1, 1}));
    // The same as a completion: the history's turn is prompt.
    ASSERT_TRUE(builder.add_completion(history, "w", "row"));
    const auto& row = builder.examples().trees.at(1).branches[0];
    EXPECT_EQ(std::count(row.counted.begin(), row.counted.end(), 1), 2);
}

TEST(Messages, TheEndTokenIsAppendedWhereTheTemplateWritesNone) {
    auto builder = builder_of();
    Turns::is_open = true;
    builder.add_conversation({{Role::user, "u"}, {Role::assistant, "p"}});
    builder.add_pair({std::vector<Message>{{Role::user, "u"}}, "w", "l", {}}, "row");
    Turns::is_open = false;
    const MaskedTokens row = builder.examples().trees.at(0).branches[0];
    EXPECT_EQ(row.tokens, (Ids{kUser, letter('u'), kTurnEnd, kNewline, kAssistant, letter('p'), kEnd}));
    EXPECT_EQ(row.counted, (Mask{0, 0, 0, 0, 0, 1, 1}));
    EXPECT_EQ(builder.examples().trees.at(1).branches[1].tokens, (Ids{letter('l'), kEnd}));
}

TEST(Messages, AConversationWithoutATurnThatCountsIsDropped) {
    auto builder = builder_of();
    Conversation talk = {{Role::user, "u"}, {Role::assistant, "p"}};
    talk.messages[1]["weight"] = 0;
    EXPECT_FALSE(builder.add_conversation(talk));
    EXPECT_FALSE(builder.add_completion(
        std::vector<Message>{{Role::user, "u"}},
        [&] {
            Conversation answer;
            answer.messages = Json::array({talk.messages[1]});
            return answer;
        }(),
        "row"));
    EXPECT_EQ(builder.examples().dropped, (std::map<std::string, int64_t>{{"no turn counts", 2}}));
}

TEST(PlainStrings, ATextCountsAsAWhole) {
    auto builder = builder_of();
    ASSERT_TRUE(builder.add_text("xy"));
    EXPECT_EQ(builder.examples().trees.at(0).branches[0].tokens, (Ids{kBos, letter('x'), letter('y'), kEnd}));
    EXPECT_EQ(builder.examples().trees.at(0).branches[0].counted, (Mask{0, 1, 1, 1}));
    EXPECT_FALSE(builder.add_text(""));
    EXPECT_EQ(builder.examples().dropped, (std::map<std::string, int64_t>{{"empty text", 1}}));
}

TEST(PlainStrings, PromptsThatBeginWithTheirOwnBosTokenAreCounted) {
    auto builder = builder_of();
    builder.add_completion("<b>x", "y", "row");
    builder.add_pair({"<b>x", "y", "z", {}}, "row");
    builder.add_completion("x<b>", "y", "row");
    builder.add_text("<b>x");
    EXPECT_EQ(builder.examples().doubled_starts, 3);
    auto without = builder_of({}, /*bos=*/false);
    without.add_completion("<b>x", "y", "row");
    EXPECT_EQ(without.examples().doubled_starts, 0);
}

// Once a message, although a prompt is rendered with each side of its pair.
TEST(Messages, WhatTheTemplateLeavesOutIsCounted) {
    Conversation asked = {{Role::user, "u"}, {Role::assistant, "p"}}, calls = {{Role::assistant, "q"}};
    asked.messages[1]["tool_calls"] = calls.messages[0]["tool_calls"] = Json::array({Json::object()});
    asked.tools = Json::array({{{"name", "f"}}});
    const auto counted = [](const std::function<void(ExampleBuilder&)>& add) {
        auto builder = builder_of();
        add(builder);
        return Json(builder.examples().unknown_keys.counts());
    };
    const std::string key = "message: tool_calls (the template leaves them out: --chat-template)",
                      tools = "tools (the template leaves them out: --chat-template)";
    EXPECT_EQ(counted([&](ExampleBuilder& b) { b.add_conversation(asked); }), Json({{key, 1}, {tools, 1}}));
    EXPECT_EQ(counted([&](ExampleBuilder& b) { b.add_completion(asked, calls, "row"); }), Json({{key, 2}, {tools, 1}}));
    EXPECT_EQ(counted([&](ExampleBuilder& b) { b.add_pair({asked, calls, "w", {}}, "row"); }), Json({{key, 2}, {tools, 1}}));
    EXPECT_EQ(counted([&](ExampleBuilder& b) { b.add_pair({asked, "w", calls, {}}, "row"); }), Json({{key, 2}, {tools, 1}}));
    EXPECT_EQ(counted([&](ExampleBuilder& b) {
                  b.add_conversation({{Role::user, "u"}, {Role::assistant, "p"}});
              }),
              Json::object());
}

TEST(Messages, SpecialTokensStayText) {
    auto builder = builder_of();
    builder.add_conversation({{Role::user, "u"}, {Role::assistant, "<e>"}});
    EXPECT_EQ(builder.examples().trees.at(0).size(), 9);
}

TEST(Drops, AreCountedByReason) {
    auto builder = builder_of({.vocabulary = letter('y')});
    EXPECT_FALSE(builder.add_completion("x", "", "row"));
    EXPECT_FALSE(builder.add_conversation({{Role::user, "u"}}));
    EXPECT_FALSE(builder.add_conversation({{Role::user, "u"}, {Role::assistant, ""}}));
    EXPECT_FALSE(builder.add_pair({"x", "", "a", {}}, "row"));
    EXPECT_FALSE(builder.add_pair({"x", "a", "a", {}}, "row"));
    EXPECT_FALSE(builder.add_completion("x", "y", "row"));
    EXPECT_FALSE(builder.add_completion("y", "x", "row"));
    EXPECT_TRUE(builder.add_completion("x", "x", "row"));
    EXPECT_EQ(
        builder.examples().dropped,
        (std::map<std::string, int64_t>{{"empty response", 4}, {"equal responses", 1}, {"token id out of vocabulary", 2}}));
}

TEST(GroupExamples, HaveABranchForEachResponse) {
    auto builder = builder_of({});
    EXPECT_TRUE(builder.add_group("x", {"a", "bc", "a"}, "row"));
    EXPECT_FALSE(builder.add_group("x", {"a", "a", "a"}, "row"));
    EXPECT_FALSE(builder.add_group("x", {"a", "b", ""}, "row"));
    ASSERT_EQ(builder.examples().trees.size(), 1u);
    const TokenTree& tree = builder.examples().trees[0];
    ASSERT_EQ(tree.branches.size(), 3u);
    EXPECT_EQ(tree.branches[0].tokens, tree.branches[2].tokens);
    EXPECT_EQ(tree.branches[1].tokens.size(), tree.branches[0].tokens.size() + 1);
    EXPECT_EQ(builder.examples().dropped, (std::map<std::string, int64_t>{{"empty response", 1}, {"equal responses", 1}}));
}

TEST(ExampleLimits, AreTheModels) {
    DecoderConfig config;
    config.vocab_size = 9;
    config.max_positions = 16;
    const ExampleOptions limits = example_limits({.max_prompt_length = 3}, config);
    EXPECT_EQ(limits.max_length, 16);
    EXPECT_EQ(limits.max_prompt_length, 3);
    EXPECT_EQ(limits.vocabulary, 9);
    EXPECT_EQ(example_limits({.max_length = 20}, config).max_length, 20) << "positions that turn go on";
    config.learned_positions = true;
    EXPECT_EQ(example_limits({.max_length = 16}, config).max_length, 16);
    EXPECT_THAT([&] { example_limits({.max_length = 17}, config); },
                testing::ThrowsMessage<UsageError>(testing::HasSubstr("at most the 16 positions")));
}

TEST(Drops, WhatDoesNotFitIsDropped) {
    auto builder = builder_of({.max_length = 6, .max_prompt_length = 4});
    EXPECT_TRUE(builder.add_completion("xyz", "w", "row"));    // 1 + 3 and 1 + 1: six tokens, a prompt of four
    EXPECT_FALSE(builder.add_completion("xyz", "ww", "row"));  // seven
    EXPECT_FALSE(builder.add_completion("xxxx", "", "row"));
    EXPECT_FALSE(builder.add_pair({"xyz", "w", "vv", {}}, "row"));  // the longer side decides
    EXPECT_EQ(builder.examples().dropped.at("too long"), 2);
    auto prompts = builder_of({.max_prompt_length = 3});
    EXPECT_FALSE(prompts.add_completion("xyz", "w", "row"));
    EXPECT_EQ(prompts.examples().dropped.at("prompt too long"), 1);
}

// A trajectory is an example where every step calls gold and nothing else; C4 is for evaluation.
TEST(Drops, TrajectoriesThatAreNoExamplesOfToolUsage) {
    const auto calling = [](const std::string& calls) {
        Trajectory trajectory;
        trajectory.instruction.domain = 1;
        trajectory.instruction.gold = {{WordCountCheck{3, Relation::less_than}}};
        trajectory.prompt = "xyz";
        trajectory.steps.emplace_back();
        trajectory.steps[0].response = print_response({"w", calls, {}, false});
        return trajectory;
    };
    const std::string gold = "text_eval()\nword_count_check(3, 'less than')";
    Trajectory four = calling(gold);
    four.instruction.domain = 4;
    auto builder = builder_of({});
    EXPECT_TRUE(builder.add_trajectory(calling(gold)));
    EXPECT_FALSE(builder.add_trajectory(calling(gold + "\ndetect_keyword()")));
    EXPECT_FALSE(builder.add_trajectory(calling("text_eval()")));
    EXPECT_FALSE(builder.add_trajectory(four));
    EXPECT_EQ(builder.examples().dropped,
              (std::map<std::string, int64_t>{{"wrong call", 1}, {"missing call", 1}, {kEvaluationOnly, 1}}));
    auto all = builder_of({.keep_wrong_calls = true});
    EXPECT_TRUE(all.add_trajectory(calling("text_eval()")));
    EXPECT_FALSE(all.add_trajectory(four));
}

TEST(Trajectories, CountTheShareOfPlansThatIsAskedFor) {
    Trajectory trajectory;
    trajectory.prompt = "x";
    trajectory.steps.emplace_back();
    trajectory.steps[0].response = print_response({"w", "text_eval()", {{"s", "p"}}, false});
    for (const auto& [plans, whole] : std::vector<std::pair<double, std::vector<bool>>>{
             {0, {false, false, false, false}}, {.5, {false, true, false, true}}, {1, {true, true, true, true}}}) {
        auto builder = builder_of({.keep_wrong_calls = true, .plans = plans});
        for (int i = 0; i < 4; ++i) builder.add_trajectory(trajectory);
        std::vector<bool> ended;
        for (const TokenTree& tree : builder.examples().trees)
            ended.push_back(tree.branches.at(0).tokens.back() == kTurnEnd);
        EXPECT_EQ(ended, whole) << plans;
        EXPECT_EQ(builder.examples().cut_plans, std::count(whole.begin(), whole.end(), false));
    }
}

TEST(Drops, TruncationCutsThePromptOnTheLeft) {
    auto builder = builder_of({.max_length = 5, .truncate = Truncate::left});
    ASSERT_TRUE(builder.add_completion("xyz", "ww", "row"));  // BOS x y z | w w END: room for two of the prompt
    EXPECT_EQ(builder.examples().trees.at(0).branches[0].tokens,
              (Ids{letter('y'), letter('z'), letter('w'), letter('w'), kEnd}));
    EXPECT_EQ(builder.examples().trees.at(0).branches[0].counted, (Mask{0, 0, 1, 1, 1}));
    ASSERT_TRUE(builder.add_pair({"xyz", "w", "vvv", {}}, "row"));
    EXPECT_EQ(builder.examples().trees.at(1).prefix, (Ids{letter('z')}));
    EXPECT_FALSE(builder.add_completion("xyz", "wwww", "row"));  // the response alone fills it
    EXPECT_FALSE(builder.add_completion("xyz", "wwwww", "row"));
    EXPECT_EQ(builder.examples().dropped,
              (std::map<std::string, int64_t>{{"no prompt left after truncation", 1}, {"too long", 1}}));
    auto prompts = builder_of({.max_prompt_length = 2, .truncate = Truncate::left});
    ASSERT_TRUE(prompts.add_completion("xyz", "w", "row"));
    EXPECT_EQ(prompts.examples().trees.at(0).branches[0].tokens, (Ids{letter('y'), letter('z'), letter('w'), kEnd}));
}

TEST(Examples, MixedKindsAndMissingTemplatesAreErrors) {
    auto builder = builder_of();
    EXPECT_THAT(
        [&] {
            builder.add_completion("x", std::vector<Message>{{Role::assistant, "y"}}, "f:3");
        },
        testing::ThrowsMessage<Error>(testing::HasSubstr("f:3")));
    ExampleBuilder plain(std::make_shared<Letters>(true), nullptr, {});
    EXPECT_TRUE(plain.add_completion("x", "y", "row"));
    EXPECT_THROW(plain.add_conversation({{Role::user, "u"}, {Role::assistant, "p"}}), Error);
}

// Up to the last place of the given text; of a token that reaches beyond it nothing, as of the end of the turn.
TEST(Trajectories, CountUntilAGivenText) {
    Trajectory trajectory;
    trajectory.prompt = "x";
    trajectory.steps.emplace_back();
    trajectory.steps[0].response = "mab!mab?";
    const std::vector<int64_t> prompt = {kUser, letter('x'), kTurnEnd, kNewline, kAssistant};
    for (const std::string observation : {"", "seen"}) {
        trajectory.steps[0].observation = observation;
        auto builder = builder_of({.keep_wrong_calls = true});
        builder.add_trajectory_until(trajectory, "!mab");
        builder.add_trajectory_until(trajectory, "ma");
        builder.add_trajectory_until(trajectory, "nowhere");
        builder.add_trajectory(trajectory);
        const auto example = [&](size_t i) { return builder.examples().trees.at(i).branches.at(0); };
        std::vector<int64_t> expected = prompt;
        for (const int64_t id : {letter('m'), kMerged, letter('!'), letter('m'), kMerged}) expected.push_back(id);
        EXPECT_EQ(example(0).tokens, expected);
        EXPECT_EQ(example(0).counted, (std::vector<uint8_t>{0, 0, 0, 0, 0, 1, 1, 1, 1, 1}));
        expected.pop_back();  // "ab" of which only "a" stands within
        EXPECT_EQ(example(1).tokens, expected);
        for (const int64_t id : {kMerged, letter('?'), kTurnEnd}) expected.push_back(id);
        EXPECT_EQ(example(2).tokens, expected);
        EXPECT_EQ(example(3).tokens, expected);
    }
}

}  // namespace
}  // namespace craft
