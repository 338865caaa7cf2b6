#include "verdicts/preference_pairs.h"

namespace craft {

PreferencePairs::PreferencePairs(PairFilters filters, std::function<PromptText(const CandidateGroup&)> prompt)
    : filters_(filters), prompt_(std::move(prompt)) {}

std::optional<Pair> PreferencePairs::add(const CandidateGroup& group, const std::optional<ChosenCandidates>& chosen,
                                         const std::string& reason) {
    ++groups_;
    if (!chosen) {
        ++dropped_[reason.empty() || reason == "tie" ? (reason.empty() ? "no verdict" : reason) : "no verdict: " + reason];
        return std::nullopt;
    }
    const Candidate &best = group.candidates.at(chosen->chosen), &worst = group.candidates.at(chosen->rejected);
    if (best.text == worst.text || best.text.empty() || worst.text.empty()) {
        ++dropped_[best.text == worst.text ? "identical" : "empty"];
        return std::nullopt;
    }
    ++pairs_;
    one_system_ += best.system == worst.system ? 1 : 0;
    Pair pair{prompt_(group), best.text, worst.text, chosen->origin};
    if (std::holds_alternative<Conversation>(pair.prompt)) {
        pair.chosen = Conversation({Message{Role::assistant, best.text}});
        pair.rejected = Conversation({Message{Role::assistant, worst.text}});
    }
    return pair;
}

Json PreferencePairs::counts() const {
    return {{"groups", groups_}, {"pairs", pairs_}, {"dropped", dropped_}, {"one_system", one_system_}};
}

}  // namespace craft
