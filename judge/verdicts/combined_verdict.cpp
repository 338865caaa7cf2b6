#include "judge/verdicts/combined_verdict.h"

#include <map>

namespace craft {

namespace {

CombinedVerdict verdict_of(const Judgement& judgement, const std::string& aspect) {
    if (const auto found = judgement.verdicts.find(aspect); found != judgement.verdicts.end()) return {found->second, ""};
    if (const auto found = judgement.reasons.find(aspect); found != judgement.reasons.end())
        return {std::nullopt, found->second};
    return {std::nullopt, judgement.attempts.empty() ? "no verdict" : judgement.attempts.back().problem};
}

// The orders of one repeat of one judge.
CombinedVerdict add_order(const CombinedVerdict& before, const CombinedVerdict& now) {
    if (!before.verdict) return before;
    if (!now.verdict) return now;
    return *before.verdict == *now.verdict ? before : CombinedVerdict{std::nullopt, "flipped"};
}

CombinedVerdict verdict_of_orders(const std::vector<const Judgement*>& orders, const std::string& aspect) {
    if (const auto played = voice_tournament(orders, aspect)) {
        std::string reason = played->reason;
        if (reason == "unjudged")
            for (auto order = orders.rbegin(); order != orders.rend(); ++order)
                if (const auto why = (*order)->reasons.find(aspect); why != (*order)->reasons.end() && why->second != "tie")
                    reason = why->second;
        return {played->verdict, reason};
    }
    CombinedVerdict said = verdict_of(*orders.front(), aspect);
    for (size_t order = 1; order < orders.size(); ++order) said = add_order(said, verdict_of(*orders[order], aspect));
    return said;
}

// Who has more than half of these votes.
std::optional<size_t> majority(const std::map<size_t, size_t>& votes, size_t voices) {
    for (const auto& [candidate, times] : votes)
        if (2 * times > voices) return candidate;
    return std::nullopt;
}

}  // namespace

std::optional<TournamentResult> voice_tournament(const std::vector<const Judgement*>& orders, const std::string& aspect) {
    std::vector<Duel> duels;
    for (const Judgement* judgement : orders) {
        const auto found = judgement->duels.find(aspect);
        if (found == judgement->duels.end()) return std::nullopt;
        duels.insert(duels.end(), found->second.begin(), found->second.end());
    }
    if (duels.empty()) return std::nullopt;
    return run_tournament(orders.front()->order, duels);
}

CombinedVerdict combined_verdict(const std::vector<Judgement>& judgements, const std::string& aspect) {
    std::vector<std::vector<const Judgement*>> voices;
    for (const Judgement& judgement : judgements) {
        const Judgement* before = voices.empty() ? nullptr : voices.back().front();
        if (!before || before->judge != judgement.judge || before->repeat != judgement.repeat) voices.emplace_back();
        voices.back().push_back(&judgement);
    }
    std::map<size_t, size_t> best, worst;
    size_t with_verdict = 0;
    std::string first_reason = "no verdict";
    for (const auto& voice : voices) {
        const CombinedVerdict said = verdict_of_orders(voice, aspect);
        if (&voice == &voices.front()) first_reason = said.reason;
        if (!said.verdict) continue;
        ++with_verdict;
        ++best[said.verdict->best];
        ++worst[said.verdict->worst];
    }
    if (with_verdict == 0) return {std::nullopt, first_reason};
    const auto majority_best = majority(best, with_verdict), majority_worst = majority(worst, with_verdict);
    if (!majority_best || !majority_worst) return {std::nullopt, "no majority"};
    return {ListwiseVerdict{*majority_best, *majority_worst}, ""};
}

std::set<std::string> aspects_of(const std::vector<Judgement>& judgements) {
    std::set<std::string> aspects;
    for (const Judgement& judgement : judgements) {
        for (const auto& [aspect, verdict] : judgement.verdicts) aspects.insert(aspect);
        for (const auto& [aspect, reason] : judgement.reasons) aspects.insert(aspect);
    }
    return aspects;
}

}  // namespace craft
