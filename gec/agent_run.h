// One sentence on its way through the agent's steps: what each reply of the model does to it (GEC-Agent Algorithm 1).
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "gec/agent.h"

namespace craft {

class AgentRun {
public:
    // All must outlive it. `trace` has its source.
    AgentRun(const ToolSet& tools, const AgentPrompt& prompt, const AgentOptions& options, AgentTrace& trace);

    // Takes a reply, adds its step to the trace and returns whether the work continues. Throws what tools throw beside Error
    // and WrongArguments, which become observations.
    bool take(const Reply& reply);

private:
    bool end(AgentEnd ended, const std::string& failure = "");
    bool refuse(AgentStep& step, const std::string& why, std::map<std::string, std::string> values);
    bool take_unread(AgentStep& step, const std::string& text);
    bool take_answer(AgentStep& step);
    bool take_action(AgentStep& step);
    // Whether a step was taken before; if not it is now.
    bool repeated(const std::string& key) { return !taken_.insert(key).second; }
    // Of a step that was taken before: told once in the whole work.
    bool end_or_report(AgentStep& step);
    bool withdraw(AgentStep& step);
    bool edit(AgentStep& step);
    bool call(AgentStep& step);

    const ToolSet& tools_;
    const AgentPrompt& prompt_;
    const AgentOptions& options_;
    AgentTrace& trace_;
    MeasuredText original_;
    std::vector<std::string> standing_;  // the sentence after each change that stands
    std::set<std::string> seen_;         // sentences that changes led to
    std::set<std::string> taken_;        // steps
    bool warned_repeat_ = false, warned_unnamed_ = false;
};

}  // namespace craft
