#include "gec/direct_corrector.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.h"
#include "tests/gec/scripted_model.h"

namespace craft {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

AgentTrace asked(ScriptedModel& model, const DirectOptions& options, const NearestPairs& nearest = nullptr) {
    return DirectCorrector(model, PromptFiles(), options, nearest).correct("I has a cat .", 1, 0);
}

TEST(DirectCorrectors, TakeOneAnswer) {
    ScriptedModel model({"Final Answer: I have a cat .\n\nThe verb agrees."});
    const AgentTrace trace = asked(model, {});
    EXPECT_EQ(trace.text, "I have a cat .");
    EXPECT_EQ(trace.ended, AgentEnd::final);
    EXPECT_THAT(leniency_kinds(trace.steps.at(0).reply.let_pass), ElementsAre("explanation"));
    ASSERT_EQ(model.asked[0].size(), 2u);
    EXPECT_EQ(model.asked[0][1].content, "Sentence:\n> I has a cat .");
    ScriptedModel bare({"\"I have a cat .\""});
    EXPECT_EQ(asked(bare, {}).text, "I have a cat .");
}

TEST(DirectCorrectors, WithAThoughtNeedAnAnswerOfItsOwn) {
    ScriptedModel model({"Thought: \"has\" is wrong.\nFinal Answer: I have a cat ."});
    const AgentTrace trace = asked(model, {.thinks = true, .shots = 3});
    EXPECT_EQ(trace.text, "I have a cat .");
    ASSERT_EQ(model.asked[0].size(), 8u);
    EXPECT_THAT(model.asked[0][2].content, HasSubstr("Thought: "));
    ScriptedModel rambling({"The word has is wrong, I think"});
    const AgentTrace unread = asked(rambling, {.thinks = true});
    EXPECT_EQ(unread.ended, AgentEnd::failed);
    EXPECT_EQ(unread.failure, "unreadable");
    EXPECT_EQ(unread.text, "I has a cat .");
    EXPECT_EQ(unread.steps.at(0).raw, "The word has is wrong, I think");
    ScriptedModel silent({""});
    EXPECT_EQ(asked(silent, {}).failure, "unreadable");
    ScriptedModel cut([](const std::vector<Message>&, size_t) {
        return Reply{.text = "Final Answer: I have a", .status = Reply::Status::cut};
    });
    const AgentTrace half = asked(cut, {});
    EXPECT_EQ(half.ended, AgentEnd::failed);
    EXPECT_EQ(half.failure, "cut");
    EXPECT_EQ(half.text, "I has a cat .") << "half a sentence is none";
    ScriptedModel failing([](const std::vector<Message>&, size_t) { return Reply::failed(Failure::rate_limited, "429"); });
    EXPECT_EQ(asked(failing, {}).failure, "rate_limited");
}

TEST(DirectCorrectors, ShowTheNearestPairs) {
    ScriptedModel model({"Final Answer: I have a cat ."});
    asked(model, {.shots = 2}, [](const std::string& sentence, int64_t most) {
        EXPECT_EQ(most, 2);
        return std::vector<std::pair<std::string, std::string>>{{sentence + "!", "right"}};
    });
    ASSERT_EQ(model.asked[0].size(), 4u);
    EXPECT_EQ(model.asked[0][1].content, "Sentence:\n> I has a cat .!");
    EXPECT_EQ(model.asked[0][2].content, "Final Answer: right");
    EXPECT_THROW(asked(model, {.shots = 4}), Error);
}

}  // namespace
}  // namespace craft
