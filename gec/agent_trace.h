// What the agent did with a sentence, step by step: its scratchpad as data (GEC-Agent Algorithm 1).
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "core/json.h"
#include "gec/agent_reply.h"

namespace craft {

enum class AgentEnd {
    final,   // the model gave a final answer, or nobody had to be asked
    steps,   // the most steps were taken
    repeat,  // the model repeated a step that it was told of
    failed   // an answer failed, or two in a row could not be read
};
const char* agent_end_name(AgentEnd ended);  // "final"

struct AgentStep {
    AgentReply reply = {};
    std::string raw = {};  // the reply as it came, where it could not be read
    std::string refused =
        {};  // why its action was not done, or its answer not taken at once (share/prompts/gec.observations.json)
    std::string error = {};        // of a tool that failed
    double seconds = 0;            // of a tool's call
    std::string observation = {};  // what the model was told; empty after the last step
    std::string sentence = {};     // as it comes after the step
};

struct AgentTrace {
    std::string source, text;  // before and after all steps
    std::vector<AgentStep> steps = {};
    AgentEnd ended = AgentEnd::final;
    std::string failure = {};               // of `failed`: Reply::problem(), or "unreadable"
    std::string not_asked = {};             // why there are no steps: "empty", "too_long"; else empty
    std::vector<std::string> unnamed = {};  // changes of the final answer that no step named, "from -> to"; they were undone
    std::map<std::string, int64_t> noted =
        {};              // what the sentence, findings and changes had that looked like more than text
    double seconds = 0;  // of the whole, waiting included
};

// How often each action was asked for. Names of no action, which may be any text, are counted as "unknown action".
std::map<std::string, int64_t> actions_of(const AgentTrace& trace);

// {"source","text","steps":[{"thought","reflection","action","input","answer","problem","reply","let_pass","refused","error",
// "seconds","observation","sentence"}...],"ended","failure","not_asked","unnamed","noted","seconds"}; keys without a value
// are left out.
Json to_json(const AgentTrace& trace);
// Throws Error naming `where` and the key on another form.
AgentTrace agent_trace_from_json(const Json& row, const std::string& where);

}  // namespace craft
