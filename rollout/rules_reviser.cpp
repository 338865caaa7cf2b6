#include "rollout/rules_reviser.h"

namespace craft {

std::vector<std::string> RulesReviser::revise(const std::vector<RevisionRequest>& requests) {
    std::vector<std::string> revisions;
    for (const auto& request : requests) {
        std::vector<ToolCall> calls;
        for (const auto& parsed : request.response->calls.calls)
            if (parsed.call) calls.push_back(*parsed.call);
        Draft draft(*rules_, Goals(calls, request.original, sentences_), pieces_of(request.text, sentences_), request.item);
        draft.carry_out(request.response->parts.plan);
        draft.search();
        revisions.push_back(draft.text());
    }
    return revisions;
}

}  // namespace craft
