#include "gec/agent_prompt.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.h"
#include "tests/gec/scripted_model.h"

namespace craft {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(AgentPrompts, TellOfToolsThatAreThere) {
    const PromptFiles prompts;
    for (const char* name : {"full", "short", "trained"}) {
        const AgentPrompt with(prompts, ToolSet(scripted_tools()), {.name = name});
        const std::string system = with.begin("a b")[0].content;
        EXPECT_THAT(system, HasSubstr("search_examples: {\"concept\": \"...\"} gives corrected"));
        EXPECT_THAT(system, HasSubstr("withdraw"));
        EXPECT_THAT(system, Not(HasSubstr("{tools}")));
        const AgentPrompt without(prompts, ToolSet({}), {.name = name, .reflection = false});
        for (const char* word : {"ook things up", "ithdraw", "eflect"})
            EXPECT_THAT(without.begin("a")[0].content, Not(HasSubstr(word))) << name;
        EXPECT_THAT(without.begin("a")[0].content, HasSubstr("Final Answer"));
    }
    EXPECT_THROW(AgentPrompt(prompts, ToolSet({{.name = "telepathy"}}), {}), Error);
}

TEST(AgentPrompts, ShowSentencesThatCanBeReadBack) {
    const AgentPrompt prompt(PromptFiles(), ToolSet({}), {});
    const std::string sentence = "He said: \"go\" .\n> and went";
    EXPECT_EQ(quoted_text_of(prompt.begin(sentence)[1].content), sentence);
    EXPECT_EQ(quoted_text_of(prompt.told("changed", {{"sentence", "x  y"}})), "x  y");
    EXPECT_EQ(quoted_text_of("no sentence"), "");
}

TEST(AgentPrompts, HaveSchemasOfAllActions) {
    const AgentPrompt prompt(PromptFiles(), ToolSet(scripted_tools()), {});
    const Json schemas = prompt.schemas();
    ASSERT_EQ(schemas.size(), 8u);
    EXPECT_EQ(schemas[1]["function"]["name"], "search_examples");
    EXPECT_EQ(schemas[1]["function"]["parameters"]["required"], Json::parse(R"(["concept"])"));
    EXPECT_EQ(schemas[4]["function"]["name"], "delete");
    EXPECT_EQ(schemas[4]["function"]["parameters"]["properties"]["occurrence"]["type"], "integer");
    EXPECT_EQ(schemas[7]["function"]["name"], "withdraw");
}

TEST(AgentPrompts, HaveAWordingForEveryToolAndRefusal) {
    const AgentPrompt prompt(PromptFiles(), ToolSet({}), {});
    for (const char* name :
         {"input", "absent", "several_places", "occurrence", "no_change", "several_changes", "other_words"})
        EXPECT_THAT(prompt.told(std::string("refused.") + name, {}), HasSubstr("not done"));
}

}  // namespace
}  // namespace craft
