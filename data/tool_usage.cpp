#include "data/tool_usage.h"

#include <set>

namespace craft {

std::string tool_usage_problem(const Trajectory& trajectory) {
    std::set<std::string> gold;
    for (const ToolCall& call : trajectory.instruction.gold_calls()) gold.insert(normal_form(call));
    bool missing = false;
    for (const Step& step : trajectory.steps) {
        std::set<std::string> left = gold;
        for (const ParsedCall& parsed : parse_response(step.response).calls().calls) {
            if (!parsed.call) return "wrong call";
            const std::string form = normal_form(*parsed.call);
            if (form != normal_form(TextEval{}) && !gold.contains(form)) return "wrong call";
            left.erase(form);
        }
        missing = missing || !left.empty();
    }
    return missing ? "missing call" : "";
}

bool is_for_evaluation_only(const Instruction& instruction) {
    return instruction.domain > 3 || (!instruction.text.empty() && instruction.gold.size() > 3);
}

}  // namespace craft
