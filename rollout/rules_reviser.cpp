#include "rollout/rules_reviser.h"

namespace craft {

std::vector<std::string> RulesReviser::revise(const std::vector<RevisionRequest>& requests) {
    std::vector<std::string> revisions;
    for (const auto& request : requests) {
        const PlannerResponse response = parse_response(request.response);
        std::vector<ToolCall> calls;
        for (const auto& parsed : response.calls().calls)
            if (parsed.call) calls.push_back(*parsed.call);
        Draft draft(*rules_, Goals(calls, request.original, sentences_), pieces_of(request.text, sentences_), request.item);
        draft.carry_out(response.plan);
        draft.search();
        revisions.push_back(draft.text());
    }
    return revisions;
}

}  // namespace craft
