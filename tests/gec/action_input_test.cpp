#include "gec/action_input.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/gec/scripted_model.h"

namespace craft {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

TEST(ActionInputs, AreObjectsOrTexts) {
    EXPECT_EQ(read_action_input("{\"from\": \"a\", \"occurrence\": 2}").fields, Json({{"from", "a"}, {"occurrence", 2}}));
    EXPECT_EQ(read_action_input("\"I \\\"has\\\"\"").fields, Json({{"", "I \"has\""}}));
    EXPECT_EQ(read_action_input("I has {a} cat").fields, Json({{"", "I has {a} cat"}}));
    EXPECT_EQ(read_action_input("\"to be\" or not").fields, Json({{"", "\"to be\" or not"}}));
    EXPECT_EQ(read_action_input(" ").fields, Json::object());
    const ActionInput more = read_action_input("{\"words\": \"}\"} because");
    EXPECT_EQ(more.fields, Json({{"words", "}"}}));
    EXPECT_THAT(leniency_kinds(more.let_pass), ElementsAre("behind_input"));
}

TEST(ActionInputs, ThatAreNoTextAreProblems) {
    EXPECT_THAT(read_action_input("[\"a\"]").problem, HasSubstr("a list"));
    EXPECT_THAT(read_action_input("{\"sentence\": [\"a\"]}").problem, HasSubstr("'sentence' must be a text, not a list"));
    EXPECT_THAT(read_action_input("{\"sentence\": {\"a\": 1}}").problem, HasSubstr("an object"));
    EXPECT_THAT(read_action_input("{\"sentence\": 1.5}").problem, HasSubstr("the number 1.5"));
    EXPECT_THAT(read_action_input("{\"sentence\": 99999999999999999999}").problem, HasSubstr("the number"));
    EXPECT_THAT(read_action_input("{\"sentence\": \"a").problem, HasSubstr("does not end"));
    EXPECT_THAT(read_action_input("{'sentence': 'a'}").problem, HasSubstr("no JSON"));
    EXPECT_THAT(read_action_input(std::string(3000, '{')).problem, HasSubstr("does not end"));
    EXPECT_FALSE(read_action_input(std::string(3000, '[')).fields.empty());
}

TEST(ToolCalls, AreBoundByTheSet) {
    const ToolSet tools(scripted_tools());
    EXPECT_EQ(normal_form(*read_tool_call(tools, "spell_check", "I has", "now").call), "spell_check(\"I has\")");
    const ToolCallReading own = read_tool_call(tools, "spell_check", "", "now");
    EXPECT_EQ(normal_form(*own.call), "spell_check(\"now\")");
    EXPECT_EQ(own.fields, Json::object());
    EXPECT_TRUE(own.let_pass.empty());
    EXPECT_EQ(normal_form(*read_tool_call(tools, "search_examples", "article", "now").call),
              "search_examples(\"now\", \"article\")");
    EXPECT_THAT(read_tool_call(tools, "search_examples", "{}", "now").problem, HasSubstr("concept is missing"));
    EXPECT_THAT(read_tool_call(tools, "spell_check", "{\"sentence\": 3}", "now").problem, HasSubstr("quoted string"));
    EXPECT_THAT(read_tool_call(tools, "spell_check", "{\"text\": \"a\"}", "now").problem, HasSubstr("no parameter 'text'"));
    EXPECT_THAT(read_tool_call(tools, "spel_check", "a", "now").problem, HasSubstr("did you mean spell_check"));
}

}  // namespace
}  // namespace craft
