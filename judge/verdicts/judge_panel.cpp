#include "judge/verdicts/judge_panel.h"

#include <algorithm>
#include <exception>

#include "core/error.h"
#include "systems/system.h"

namespace craft {

namespace {

// What one member said of a group, and how that ended.
struct Said {
    std::vector<Judgement> judgements;
    std::exception_ptr error = nullptr;
    bool awaits = false;
};

Judgement down(const CandidateJudge& judge, const std::vector<size_t>& order, uint64_t repeat, const std::string& why) {
    Judgement judgement;
    judgement.judge = judge.name();
    judgement.order = order;
    judgement.repeat = repeat;
    judgement.attempts.push_back({.reply = why, .problem = "down", .is_failed = true, .shown = order});
    return judgement;
}

Said ask_member(const CandidateJudge& judge, const CandidateGroup& group, const JudgingPlan& plan) {
    Said said;
    for (uint64_t repeat = 0; repeat < plan.repeats; ++repeat) {
        for (const auto& order : candidate_orders(plan.orders, group.candidates.size(), plan.seed, group.id, repeat)) {
            try {
                said.judgements.push_back(judge.judge(group, order, repeat));
            } catch (const AwaitedAnswer&) {
                said.awaits = true;
            } catch (const Error& error) {
                said.judgements.push_back(down(judge, order, repeat, error.what()));
                said.error = std::current_exception();
                return said;
            }
        }
    }
    return said;
}

}  // namespace

bool is_down(const std::vector<Judgement>& by_one_member) {
    return !by_one_member.empty() && std::all_of(by_one_member.begin(), by_one_member.end(), [](const Judgement& judgement) {
        return !judgement.attempts.empty() && std::all_of(judgement.attempts.begin(), judgement.attempts.end(),
                                                          [](const JudgingAttempt& attempt) { return attempt.is_failed; });
    });
}

JudgePanel::JudgePanel(std::vector<const CandidateJudge*> members, JudgingPlan plan)
    : members_(std::move(members)), plan_(plan) {
    if (members_.empty()) throw Error("a panel of judges", "at least one", "none");
    if (plan_.repeats == 0) throw Error("a panel of judges", "at least one repeat", "0");
}

std::vector<Judgement> JudgePanel::judge(const CandidateGroup& group, uint64_t row) const {
    std::vector<Judgement> all;
    std::exception_ptr error = nullptr;
    bool awaits = false, any_spoke = false;
    const bool rotates = plan_.mode == PanelMode::rotate;
    const size_t first = rotates ? static_cast<size_t>(row % members_.size()) : 0;
    for (size_t i = 0; i < members_.size(); ++i) {
        Said said = ask_member(*members_[(first + i) % members_.size()], group, plan_);
        if (said.error && !error) error = said.error;
        any_spoke = any_spoke || !said.error;
        awaits = awaits || said.awaits;
        const bool answered = said.awaits || !is_down(said.judgements);
        for (Judgement& judgement : said.judgements) all.push_back(std::move(judgement));
        if (rotates && answered) break;
    }
    if (awaits) throw AwaitedAnswer();
    if (error && !any_spoke) std::rethrow_exception(error);
    return all;
}

}  // namespace craft
