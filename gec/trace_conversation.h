// Traces as conversations: what a model is trained on (docs/conversations.md).
#pragma once

#include "data/conversation.h"
#include "gec/agent_prompt.h"
#include "gec/agent_trace.h"
#include "text/wording_table.h"

namespace craft {

// How a trace's steps stand in a conversation.
enum class TraceForm {
    react,       // Thought, Action, Action Input: the very messages that the agent asks with
    tool_calls,  // thoughts as content, actions as `tool_calls`, what came of them as the tool's messages; schemas in
                 // `tools`
    direct       // no steps: the corrected sentence as the answer to what `gec --method zero_shot` asks
};

// The steps of a trace after its prompt. Replies that could not be read, steps that were refused and changes that were
// taken back have the weight 0: they are there for what follows them, and are not learnt. A final answer is the sentence as
// it stands. What the model was told after the last step is left out. `form` is not `direct`.
Conversation trace_conversation(const AgentTrace& trace, const AgentPrompt& prompt, TraceForm form);

// Of the form `direct`; `wordings` are those of gec.direct.json.
Conversation direct_conversation(const AgentTrace& trace, const WordingTable& wordings);

}  // namespace craft
