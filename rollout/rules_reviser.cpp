#include "rollout/rules_reviser.h"

namespace craft {

std::vector<std::string> RulesReviser::revise(const std::vector<RevisionRequest>& requests) {
    std::vector<std::string> revisions;
    for (const auto& request : requests) {
        std::vector<ToolCall> calls;
        for (const auto& parsed : request.response->calls.calls)
            if (parsed.call) calls.push_back(*parsed.call);
        RevisionSearch search(*rules_, Goals(calls, request.original, sentences_), pieces_of(request.text, sentences_),
                              request.item);
        search.carry_out(request.response->parts.plan);
        search.run();
        revisions.push_back(search.text());
    }
    return revisions;
}

}  // namespace craft
