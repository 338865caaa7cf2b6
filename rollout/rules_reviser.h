// The built-in reviser: carries a planner's response out by rules of English, towards the goals that its calls set.
#pragma once

#include <memory>

#include "rollout/reviser.h"
#include "rollout/rules/revision_search.h"

namespace craft {

// Sees the text, the original and the response, nothing else: goals are the calls that can be read there. A plan with a line
// that plan_actions() does not understand is refused as a whole ("unread_plan"): goals pursued without it would change other
// sentences than it names. A line that is understood and finds nothing to do is counted ("plan_line_left"). Deterministic in
// text, response and item; under 5 ms for 100 words.
class RulesReviser : public Reviser {
public:
    explicit RulesReviser(std::shared_ptr<const Rules> rules, SentenceRule sentences = SentenceRule::paper)
        : rules_(std::move(rules)), sentences_(sentences) {}
    std::vector<Revised> revise(const std::vector<RevisionRequest>& requests) override;
    std::string name() const override { return "rules"; }

private:
    std::shared_ptr<const Rules> rules_;
    SentenceRule sentences_;
};

}  // namespace craft
