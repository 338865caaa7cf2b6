#include "rollout/rules_reviser.h"

#include <algorithm>

#include "core/error.h"
#include "data/revised_text.h"
#include "rollout/rules/plan_actions.h"

namespace craft {

std::vector<Revised> RulesReviser::revise(const std::vector<RevisionRequest>& requests) {
    std::vector<Revised> revisions;
    for (const auto& request : requests) {
        if (request.response == nullptr)
            throw Error("reviser rules", "a planner's response", "an instruction alone",
                        "it reads calls and plans, no instructions");
        const std::vector<PlanLine>& plan = request.response->parts.plan;
        if (std::any_of(plan.begin(), plan.end(), [](const PlanLine& line) { return plan_actions(line.plan).empty(); })) {
            revisions.push_back({request.text, "unread_plan"});
            continue;
        }
        std::vector<ToolCall> calls;
        for (const auto& parsed : request.response->calls.calls)
            if (parsed.call) calls.push_back(*parsed.call);
        RevisionSearch search(*rules_, Goals(calls, request.original, sentences_), pieces_of(request.text, sentences_),
                              request.item);
        const int64_t left = search.carry_out(plan);
        search.run();
        std::string text = search.text();
        if (is_empty_text(text) && !is_empty_text(request.text)) {
            revisions.push_back({request.text, "empty"});
            continue;
        }
        const bool same = text == request.text;
        revisions.push_back({std::move(text)});
        note_leniency(revisions.back().noted, "unchanged", same);
        if (left > 0) revisions.back().noted["plan_line_left"] = left;
    }
    return revisions;
}

}  // namespace craft
