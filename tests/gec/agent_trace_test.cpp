#include "gec/agent_trace.h"

#include <gtest/gtest.h>

#include "core/error.h"

namespace craft {
namespace {

AgentTrace some_trace() {
    AgentTrace trace{.source = "I has .", .text = "I have ."};
    AgentStep step{.refused = "", .observation = "Observation: done.", .sentence = "I have ."};
    step.reply.thought = "The verb.";
    step.reply.action = "transform";
    step.reply.input = R"({"from":"has","to":"have"})";
    step.reply.let_pass = {{"markup", 1}};
    step.seconds = 0.25;
    trace.steps.push_back(step);
    AgentStep last{.sentence = "I have ."};
    last.reply.answer = "I have .";
    trace.steps.push_back(last);
    trace.unnamed = {"a -> b"};
    trace.noted = {{"signs of control", 2}};
    trace.seconds = 1.5;
    return trace;
}

TEST(AgentTraces, AreReadAsTheyWereWritten) {
    const Json row = to_json(some_trace());
    EXPECT_EQ(row["steps"][0],
              Json::parse(R"({"thought":"The verb.","action":"transform","input":"{\"from\":\"has\",\"to\":\"have\"}",
        "let_pass":["markup"],"seconds":0.25,"observation":"Observation: done.","sentence":"I have ."})"));
    EXPECT_EQ(row["steps"][1], Json::parse(R"({"answer":"I have .","sentence":"I have ."})"));
    EXPECT_EQ(to_json(agent_trace_from_json(row, "row")), row);
}

TEST(AgentTraces, CountNamesOfNoActionTogether) {
    AgentTrace trace = some_trace();
    AgentStep unknown{.refused = "unknown_action", .sentence = "I have ."};
    unknown.reply.action = "telepathy";
    trace.steps.push_back(unknown);
    unknown.refused = "repeat";
    trace.steps.push_back(unknown);
    EXPECT_EQ(Json(actions_of(trace)), Json({{"transform", 1}, {"unknown action", 2}}));
}

TEST(AgentTraces, OfAnotherFormAreRefused) {
    for (const char* change :
         {R"({"steps":3})", R"({"steps":[3]})", R"({"ended":"done"})", R"({"noted":{"a":"b"}})", R"({"seconds":"long"})",
          R"({"steps":[{"sentence":"a","seconds":"long"}]})", R"({"unnamed":[3]})", R"({"source":3})", R"({"steps":[{}]})",
          R"({"steps":[{"sentence":"a","let_pass":"x"}]})"}) {
        Json row = to_json(some_trace());
        row.merge_patch(Json::parse(change));
        EXPECT_THROW(agent_trace_from_json(row, "row"), Error) << change;
    }
}

}  // namespace
}  // namespace craft
