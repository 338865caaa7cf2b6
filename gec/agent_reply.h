// One reply of the agent, read (GEC-Agent §3.1, App. B): a thought with an action and its input, or a final answer.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "data/reply_text.h"

namespace craft {

struct AgentReply {
    std::string thought, reflection;
    std::string action;                 // lower-cased, "pos_tagging"; empty: none
    std::string input;                  // of the action, as it was written
    std::optional<std::string> answer;  // of a reply that ends the work
    // Why the reply cannot be used: "empty", "no_action" (neither action nor answer), "no_action_name", "no_answer" (nothing
    // comes after Final Answer). Empty: it has an action or an answer.
    std::string problem;
    // What was let pass, once each: "fences" (of code), "markup" (labels in bold or as headings), "no_label" (text
    // before the first label, read as thought), "no_thought", "simulated_observation", "several_actions" (text after the
    // first action, cut off), "input_without_action" (cut off), "behind_answer" (labels after an answer, cut off),
    // "input_in_action" ("Action: NAME {...}"), "action_name" (in quotes, with blanks or in capitals), "answer_as_action".
    Leniency let_pass;
};

// Never throws on any bytes.
AgentReply read_agent_reply(std::string_view text);

// The reply as it should have been written: what a conversation continues with, and what is trained on.
std::string agent_reply_text(const AgentReply& reply);

}  // namespace craft
