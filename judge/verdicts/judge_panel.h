// One judge or several, each asked about a group in its orders and as often as wanted.
#pragma once

#include <cstdint>
#include <vector>

#include "judge/verdicts/candidate_judge.h"
#include "judge/verdicts/candidate_orders.h"

namespace craft {

enum class PanelMode {
    all,     // every member judges every group
    rotate,  // group n is judged by member n modulo their number, and by the next one where that is down
};

struct JudgingPlan {
    CandidateOrders orders = CandidateOrders::random;
    uint64_t seed = 1;     // of orders
    uint64_t repeats = 1;  // how often a member judges a group, each time in orders of its own
    PanelMode mode = PanelMode::all;
};

// A member whose answers failed in all it was asked about the group.
bool is_down(const std::vector<Judgement>& by_one_member);

class JudgePanel {
public:
    // The judges must outlive the panel. Throws Error without any, and on a plan that asks nothing.
    JudgePanel(std::vector<const CandidateJudge*> members, JudgingPlan plan);
    // The judgements of each member that was asked, by repeats, then orders. `row`: the group's place in the input. A member
    // that throws Error is down for this group: its judgement has the one attempt "down" with what it threw. Throws that
    // where all members threw, and AwaitedAnswer once everything that can be asked was asked.
    std::vector<Judgement> judge(const CandidateGroup& group, uint64_t row) const;
    const JudgingPlan& plan() const { return plan_; }

private:
    std::vector<const CandidateJudge*> members_;
    JudgingPlan plan_;
};

}  // namespace craft
