#include "gec/trace_conversation.h"

#include <utility>
#include <vector>

#include "gec/action_input.h"
#include "gec/agent.h"
#include "gec/direct_corrector.h"
#include "gec/edit_action.h"

namespace craft {

namespace {

// For each step whether it is to be learnt.
std::vector<bool> learnt_steps(const AgentTrace& trace) {
    std::vector<bool> learnt;
    std::vector<size_t> standing;  // the steps whose changes stand
    for (const AgentStep& step : trace.steps) {
        const bool was_done = step.reply.problem.empty() && step.refused.empty();
        learnt.push_back(was_done);
        if (!was_done || step.reply.answer) continue;
        if (is_edit_action(step.reply.action)) standing.push_back(learnt.size() - 1);
        if (step.reply.action == "withdraw" && !standing.empty()) {
            learnt[standing.back()] = false;
            standing.pop_back();
        }
    }
    return learnt;
}

// A step with the answer that it should have had.
AgentStep as_learnt(const AgentStep& step) {
    AgentStep learnt = step;
    if (learnt.reply.answer && step.refused.empty()) learnt.reply.answer = step.sentence;
    return learnt;
}

Json react_messages(const AgentStep& step, bool is_learnt) {
    Json messages = to_json(step_messages(as_learnt(step)));
    if (!is_learnt) messages[0]["weight"] = 0;
    return messages;
}

Json tool_messages(const AgentStep& given, size_t number, bool is_learnt) {
    const AgentStep step = as_learnt(given);
    std::string said = step.reply.reflection;
    if (!step.reply.thought.empty()) said += (said.empty() ? "" : "\n") + step.reply.thought;
    Json reply = {{"role", "assistant"}};
    Json messages = Json::array();
    if (!step.reply.problem.empty()) {
        reply["content"] = step.raw;
    } else if (step.reply.answer) {
        reply["content"] = *step.reply.answer;
        if (!said.empty()) reply["reasoning_content"] = said;
    } else {
        const std::string id = "call_" + std::to_string(number);
        reply["content"] = said;
        reply["tool_calls"] = Json::array(
            {{{"id", id},
              {"type", "function"},
              {"function", {{"name", step.reply.action}, {"arguments", read_action_input(step.reply.input).fields}}}}});
        if (!step.observation.empty())
            messages.push_back(
                {{"role", "tool"}, {"tool_call_id", id}, {"name", step.reply.action}, {"content", step.observation}});
    }
    if (messages.empty() && !step.observation.empty()) messages.push_back({{"role", "user"}, {"content", step.observation}});
    if (!is_learnt) reply["weight"] = 0;
    messages.insert(messages.begin(), std::move(reply));
    return messages;
}

}  // namespace

Conversation trace_conversation(const AgentTrace& trace, const AgentPrompt& prompt, TraceForm form) {
    std::vector<Message> begin = prompt.begin(trace.source);
    if (form == TraceForm::tool_calls) begin[0].content = prompt.rules();
    Conversation conversation(begin);
    if (form == TraceForm::tool_calls) conversation.tools = prompt.schemas();
    const std::vector<bool> learnt = learnt_steps(trace);
    for (size_t i = 0; i < trace.steps.size(); ++i) {
        const Json messages = form == TraceForm::react ? react_messages(trace.steps[i], learnt[i])
                                                       : tool_messages(trace.steps[i], i + 1, learnt[i]);
        for (const Json& message : messages) conversation.messages.push_back(message);
    }
    while (conversation.messages.size() > begin.size() && !is_assistants(conversation.messages.back()))
        conversation.messages.erase(conversation.messages.size() - 1);
    return conversation;
}

Conversation direct_conversation(const AgentTrace& trace, const WordingTable& wordings) {
    std::vector<Message> messages = direct_messages(wordings, trace.source);
    AgentReply reply;
    reply.answer = trace.text;
    messages.push_back({Role::assistant, agent_reply_text(reply)});
    return Conversation(messages);
}

}  // namespace craft
