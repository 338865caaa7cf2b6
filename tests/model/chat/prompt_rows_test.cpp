// Rows as the tokens that a model continues or scores.
#include "model/chat/prompt_rows.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "core/error.h"
#include "tests/model/tokenizer/small_tokenizer.h"

namespace craft {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class PromptRowsTest : public ::testing::Test {
protected:
    PromptRowsTest() : folder_("prompt-rows"), tokenizer_(open_tokenizer(folder_.path)) {}
    PromptRows rows(int64_t positions, bool ids = false) const {
        return PromptRows({.model = folder_.path,
                           .input = "rows.jsonl",
                           .ids = ids,
                           .vocabulary = tokenizer_->vocabulary_size(),
                           .positions = positions});
    }
    static std::string problem(const std::function<void()>& call) {
        try {
            call();
        } catch (const Error& error) {
            return error.what();
        }
        return "";
    }

    test::TokenizerFolder folder_;
    std::shared_ptr<Tokenizer> tokenizer_;
};

TEST_F(PromptRowsTest, APromptLeavesAPositionForItsAnswer) {
    PromptRows reader = rows(4, true);
    EXPECT_EQ(reader.prompt({{"id", 1}, {"input_ids", {3, 4, 5}}}, "r:1").problem, "");
    EXPECT_EQ(
        reader.prompt({{"id", 2}, {"input_ids", {3, 4, 5, 6}}}, "r:2").problem,
        "r:2: expected a prompt that leaves one of the model's 4 positions, got 4 tokens (shorten it, or take a model of "
        "more positions)");
    EXPECT_NO_THROW(reader.finish()) << "the other one goes on";
    PromptRows all = rows(4, true);
    all.prompt({{"id", 2}, {"input_ids", {3, 4, 5, 6}}}, "r:2");
    EXPECT_THAT(problem([&] { all.finish(); }), HasSubstr("r:2: expected a prompt that leaves"));
}

TEST_F(PromptRowsTest, WhatIsScoredMayFillThePositions) {
    PromptRows reader = rows(4, true);
    const ScoredTokens fills = reader.scored({{"id", 1}, {"input_ids", {3, 4, 5, 6}}}, "r:1");
    EXPECT_EQ(fills.problem, "");
    EXPECT_THAT(fills.scored, ElementsAre(0, 1, 1, 1));
    EXPECT_THAT(reader.scored({{"id", 2}, {"input_ids", {3, 4, 5, 6, 7}}}, "r:2").problem,
                HasSubstr("r:2: expected at most the model's 4 positions, got 5 tokens"));
}

TEST_F(PromptRowsTest, StringsConversationsAndCompletions) {
    PromptRows reader = rows(200);
    const PromptTokens plain = reader.prompt({{"id", 1}, {"prompt", "A plan"}}, "r:1");
    EXPECT_EQ(tokenizer_->decode(plain.tokens, false), "A plan");
    EXPECT_TRUE(plain.stop_tokens.empty());
    const Json turn = Json::array({Json{{"role", "user"}, {"content", "A plan"}}});
    const PromptTokens asked = reader.prompt({{"id", 2}, {"messages", turn}}, "r:2");
    EXPECT_EQ(reader.prompt({{"id", 3}, {"prompt", turn}}, "r:3").tokens, asked.tokens);
    EXPECT_GT(asked.tokens.size(), plain.tokens.size());
    EXPECT_THAT(asked.stop_tokens, ElementsAre(tokenizer_->id_of(open_chat_template(folder_.path)->end_of_turn())));
    const ScoredTokens completion = reader.scored({{"id", 4}, {"prompt", "A plan"}, {"completion", " on day 5"}}, "r:4");
    const auto first = std::find(completion.scored.begin(), completion.scored.end(), 1) - completion.scored.begin();
    EXPECT_EQ(tokenizer_->decode({completion.tokens.begin(), completion.tokens.begin() + first}, false), "A plan");
    EXPECT_EQ(std::count(completion.scored.begin() + first, completion.scored.end(), 0), 0);
    EXPECT_THAT(problem([&] { reader.prompt({{"id", 5}}, "r:5"); }), HasSubstr("r:5"));
    EXPECT_THAT(problem([&] {
                    reader.scored({{"id", 6}, {"messages", turn}}, "r:6");
                }),
                HasSubstr("r:6: expected a turn of the assistant to score"));
}

TEST(FailedRow, SaysWhy) {
    EXPECT_EQ(failed_row("a", "too long"), Json({{"id", "a"}, {"failed", "prompt_too_long"}, {"error", "too long"}}));
}

}  // namespace
}  // namespace craft
