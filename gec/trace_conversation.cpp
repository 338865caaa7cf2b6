#include "gec/trace_conversation.h"

#include <utility>

#include "gec/action_input.h"
#include "gec/agent.h"

namespace craft {

namespace {

bool is_learnt(const AgentStep& step) {
    return step.reply.problem.empty() && step.refused.empty();
}

// A step with the answer that it should have had.
AgentStep as_learnt(const AgentStep& step) {
    AgentStep learnt = step;
    if (learnt.reply.answer && step.refused.empty()) learnt.reply.answer = step.sentence;
    return learnt;
}

Json react_messages(const AgentStep& step) {
    Json messages = to_json(step_messages(as_learnt(step)));
    if (!is_learnt(step)) messages[0]["weight"] = 0;
    return messages;
}

Json tool_messages(const AgentStep& given, size_t number) {
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
    if (!is_learnt(step)) reply["weight"] = 0;
    messages.insert(messages.begin(), std::move(reply));
    return messages;
}

}  // namespace

Conversation trace_conversation(const AgentTrace& trace, const AgentPrompt& prompt, TraceForm form) {
    std::vector<Message> begin = prompt.begin(trace.source);
    if (form == TraceForm::tool_calls) begin[0].content = prompt.rules();
    Conversation conversation(begin);
    if (form == TraceForm::tool_calls) conversation.tools = prompt.schemas();
    for (size_t i = 0; i < trace.steps.size(); ++i) {
        const Json messages =
            form == TraceForm::react ? react_messages(trace.steps[i]) : tool_messages(trace.steps[i], i + 1);
        for (const Json& message : messages) conversation.messages.push_back(message);
    }
    while (conversation.messages.size() > begin.size() && !is_assistants(conversation.messages.back()))
        conversation.messages.erase(conversation.messages.size() - 1);
    return conversation;
}

}  // namespace craft
