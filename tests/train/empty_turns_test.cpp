// Turns of the assistant in which nothing is said, which are not trained on unless they are asked for.
#include <gtest/gtest.h>

#include "tests/train/letter_examples.h"
#include "train/examples.h"

namespace craft {
namespace {

using test::builder_of;
using Mask = std::vector<uint8_t>;

// Its end token alone would count, and teach to say nothing.
TEST(EmptyTurns, DoNotCountUnlessTheyAreKept) {
    const Conversation asked = {{Role::user, "u"}, {Role::assistant, " "}, {Role::user, "v"}, {Role::assistant, "w"}};
    auto builder = builder_of();
    ASSERT_TRUE(builder.add_conversation(asked));
    EXPECT_EQ(builder.examples().empty_turns, 1);
    EXPECT_EQ(builder.examples().trees.at(0).branches[0].counted, (Mask{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1}));
    auto keeping = builder_of({.keep_empty_turns = true});
    ASSERT_TRUE(keeping.add_conversation(asked));
    EXPECT_EQ(keeping.examples().empty_turns, 0);
    EXPECT_EQ(keeping.examples().trees.at(0).branches[0].counted, (Mask{0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 1, 1}));
}

// What the template leaves out is not said.
TEST(EmptyTurns, CallsThatAreLeftOutSayNothing) {
    Conversation asked = {{Role::user, "u"}, {Role::assistant, ""}, {Role::user, "v"}, {Role::assistant, "w"}};
    asked.messages[1]["tool_calls"] = Json::array({Json::object()});
    auto builder = builder_of();
    ASSERT_TRUE(builder.add_conversation(asked));
    EXPECT_EQ(builder.examples().empty_turns, 1);
    const Conversation answer(std::vector<Message>{{Role::assistant, "w"}});
    Conversation turns = answer;
    turns.messages = Json::array({asked.messages[1], asked.messages[2], asked.messages[3]});
    ASSERT_TRUE(builder.add_completion(Conversation{{Role::user, "u"}}, turns, "row"));
    EXPECT_EQ(builder.examples().empty_turns, 2);
    turns.messages = Json::array({asked.messages[1]});
    EXPECT_FALSE(builder.add_completion(Conversation{{Role::user, "u"}}, turns, "row"));
    EXPECT_EQ(builder.examples().dropped.at("empty response"), 1);
    EXPECT_EQ(builder.examples().empty_turns, 2);
    asked.messages[1]["content"] = "f";
    ASSERT_TRUE(builder.add_conversation(asked));
    EXPECT_EQ(builder.examples().empty_turns, 2);
}

// A template is not asked: many have no rendering of it, or fail.
TEST(EmptyTurns, AreNotRenderedWhereNothingElseIsSaid) {
    ExampleBuilder plain(std::make_shared<test::Letters>(true), nullptr, {});
    const std::vector<Message> prompt = {{Role::user, "u"}}, empty = {{Role::assistant, ""}}, none,
                               full = {{Role::assistant, "a"}};
    EXPECT_FALSE(plain.add_pair({prompt, empty, full, {}}, "row"));
    EXPECT_FALSE(plain.add_pair({prompt, full, none, {}}, "row"));
    EXPECT_FALSE(plain.add_completion(prompt, empty, "row"));
    EXPECT_FALSE(plain.add_conversation({}));
    EXPECT_EQ(plain.examples().dropped.at("empty response"), 4);
}

}  // namespace
}  // namespace craft
