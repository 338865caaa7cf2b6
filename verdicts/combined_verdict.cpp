#include "verdicts/combined_verdict.h"

#include <map>
#include <utility>

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

// Who has more than half of these votes.
std::optional<size_t> majority(const std::map<size_t, size_t>& votes, size_t voices) {
    for (const auto& [candidate, times] : votes)
        if (2 * times > voices) return candidate;
    return std::nullopt;
}

}  // namespace

CombinedVerdict combined_verdict(const std::vector<Judgement>& judgements, const std::string& aspect) {
    std::vector<std::pair<std::pair<std::string, uint64_t>, CombinedVerdict>> voices;
    for (const Judgement& judgement : judgements) {
        const std::pair<std::string, uint64_t> voice = {judgement.judge, judgement.repeat};
        const CombinedVerdict now = verdict_of(judgement, aspect);
        if (!voices.empty() && voices.back().first == voice)
            voices.back().second = add_order(voices.back().second, now);
        else
            voices.emplace_back(voice, now);
    }
    std::map<size_t, size_t> best, worst;
    size_t with_verdict = 0;
    for (const auto& [voice, said] : voices) {
        if (!said.verdict) continue;
        ++with_verdict;
        ++best[said.verdict->best];
        ++worst[said.verdict->worst];
    }
    if (with_verdict == 0) return {std::nullopt, voices.empty() ? "no verdict" : voices.front().second.reason};
    const auto most_best = majority(best, with_verdict), most_worst = majority(worst, with_verdict);
    if (!most_best || !most_worst) return {std::nullopt, "no majority"};
    return {ListwiseVerdict{*most_best, *most_worst}, ""};
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
