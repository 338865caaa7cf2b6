// Traces as conversations: what a model is trained on (docs/conversations.md).
#pragma once

#include "data/conversation.h"
#include "gec/agent_prompt.h"
#include "gec/agent_trace.h"

namespace craft {

// How a trace's steps stand in a conversation.
enum class TraceForm {
    react,      // Thought, Action, Action Input: the very messages that the agent asks with
    tool_calls  // thoughts as content, actions as `tool_calls`, what came of them as the tool's messages; schemas in `tools`
};

// The steps of a trace behind its prompt. Replies that could not be read and steps that were refused have the weight 0: they
// are there for what follows them, and are not learnt. A final answer is the sentence as it stands. What the model was told
// behind the last step is left out.
Conversation trace_conversation(const AgentTrace& trace, const AgentPrompt& prompt, TraceForm form);

}  // namespace craft
