#include "gec/agent_reply.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace craft {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(AgentReplies, HaveAThoughtWithAnActionOrAnAnswer) {
    const AgentReply step = read_agent_reply(
        "Reflection: Better now.\nThought: The verb\nis wrong.\nAction: transform\nAction Input: {\"from\": \"go\"}");
    EXPECT_EQ(step.reflection, "Better now.");
    EXPECT_EQ(step.thought, "The verb\nis wrong.");
    EXPECT_EQ(step.action, "transform");
    EXPECT_EQ(step.input, "{\"from\": \"go\"}");
    EXPECT_EQ(step.problem, "");
    EXPECT_THAT(leniency_kinds(step.let_pass), IsEmpty());
    EXPECT_EQ(agent_reply_text(step),
              "Reflection: Better now.\nThought: The verb\nis wrong.\nAction: transform\nAction Input: {\"from\": \"go\"}");
    const AgentReply last = read_agent_reply("Thought: Done.\nFinal Answer: She goes .\n");
    EXPECT_EQ(last.answer, "She goes .");
    EXPECT_EQ(agent_reply_text(last), "Thought: Done.\nFinal Answer: She goes .");
}

TEST(AgentReplies, WhatIsHarmlessIsLetPassAndNamed) {
    const AgentReply several =
        read_agent_reply("Thought: a\nAction: spell_check\nAction Input: x\nThought: b\nAction: delete");
    EXPECT_EQ(several.action, "spell_check");
    EXPECT_EQ(several.input, "x");
    EXPECT_THAT(leniency_kinds(several.let_pass), ElementsAre("several_actions"));
    const AgentReply simulated =
        read_agent_reply("Thought: a\nAction: spell_check\nAction Input: x\nObservation: fine\nFinal Answer: y");
    EXPECT_FALSE(simulated.answer);
    EXPECT_THAT(leniency_kinds(simulated.let_pass), ElementsAre("simulated_observation"));
    const AgentReply behind = read_agent_reply("Thought: a\nFinal Answer: y\nAction: delete\nAction Input: {}");
    EXPECT_EQ(behind.answer, "y");
    EXPECT_EQ(behind.action, "");
    EXPECT_THAT(leniency_kinds(behind.let_pass), ElementsAre("behind_answer"));
    const AgentReply marked = read_agent_reply("```\n**Thought:** a\n**Action:** `POS Tagging`\n**Action Input:** {}\n```");
    EXPECT_EQ(marked.thought, "a");
    EXPECT_EQ(marked.action, "pos_tagging");
    EXPECT_EQ(marked.input, "{}");
    EXPECT_THAT(leniency_kinds(marked.let_pass), ElementsAre("action_name", "fences", "markup"));
    const AgentReply inner = read_agent_reply("I look.\nAction: delete {\"words\": \"the\"}");
    EXPECT_EQ(inner.thought, "I look.");
    EXPECT_EQ(inner.input, "{\"words\": \"the\"}");
    EXPECT_THAT(leniency_kinds(inner.let_pass), ElementsAre("input_in_action", "no_label"));
    const AgentReply called = read_agent_reply("Action: spell_check(\"I has\")");
    EXPECT_EQ(called.action, "spell_check");
    EXPECT_EQ(called.input, "\"I has\"");
    EXPECT_THAT(leniency_kinds(called.let_pass), ElementsAre("input_in_action", "no_thought"));
    const AgentReply finished = read_agent_reply("Thought: a\nAction: Final Answer\nAction Input: I have .");
    EXPECT_EQ(finished.answer, "I have .");
    EXPECT_THAT(leniency_kinds(finished.let_pass), ElementsAre("action_name", "answer_as_action"));
}

// However a model fences what belongs to a label, on the label's line or below it, all of it is read.
TEST(AgentReplies, FencesAreTakenOffWhereverTheyStand) {
    const std::string json = R"({"from": "go", "to": "goes"})";
    for (const std::string& written :
         {" ```json\n" + json + "\n```", " ```\n" + json + "\n```", "```json\n" + json + "\n```", " ```" + json + "```",
          " ```json " + json + "```", " ```json " + json + "\n```", " ```json\n" + json + "```",
          "\n```json\n" + json + "\n```", "\n```json " + json + "\n```", "\n```" + json + "```", " ```json\n" + json}) {
        const AgentReply reply = read_agent_reply("Thought: a\nAction: transform\nAction Input:" + written);
        EXPECT_EQ(reply.action, "transform") << written;
        EXPECT_EQ(reply.input, json) << written;
        EXPECT_EQ(reply.problem, "") << written;
        EXPECT_THAT(leniency_kinds(reply.let_pass), ElementsAre("fences")) << written;
    }
    const AgentReply lines = read_agent_reply(
        "Thought: a\nAction: transform\nAction Input: ```json\n{\n  \"from\": \"go\",\n  \"to\": \"goes\"\n}\n```\n"
        "Observation: x");
    EXPECT_EQ(lines.input, "{\n  \"from\": \"go\",\n  \"to\": \"goes\"\n}");
    for (const char* written :
         {" ```\nShe goes .\n```", " ```text\nShe goes .\n```", " ```She goes .```", "\n```\nShe goes .\n```"})
        EXPECT_EQ(read_agent_reply(std::string("Thought: a\nFinal Answer:") + written).answer, "She goes .") << written;
    EXPECT_EQ(read_agent_reply("Thought: a\nFinal Answer: ```Stop```").answer, "Stop") << "a word, and no language";
    EXPECT_EQ(read_agent_reply("```\nThought: a\nAction: ```spell_check```\nAction Input: x\n```").action, "spell_check");
}

TEST(AgentReplies, ThatCannotBeUsedSayWhy) {
    EXPECT_EQ(read_agent_reply(" \n").problem, "empty");
    EXPECT_EQ(read_agent_reply("She goes to school.").problem, "no_action");
    EXPECT_EQ(read_agent_reply("Thought: a\nAction:\nAction Input: {}").problem, "no_action_name");
    EXPECT_EQ(read_agent_reply("Thought: a\nFinal Answer:  ").problem, "no_answer");
    EXPECT_EQ(read_agent_reply("Action Input: {}").problem, "no_action");
}

}  // namespace
}  // namespace craft
