// What the judgements of one group say together.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "judge/verdicts/candidate_judge.h"
#include "judge/verdicts/tournament.h"

namespace craft {

struct CombinedVerdict {
    std::optional<ListwiseVerdict> verdict;
    // Why there is none: of the only voice, or of the first one where none has a verdict, its reason; "flipped" (its verdict
    // changed with the order, which is a tie); "no majority".
    std::string reason;
};

// A voice is a judge's repeat: its verdict is that of all its orders, if they agree in both best and worst, or of the
// tournament of all their duels, where two candidates are compared at a time. Of several voices best and worst are what more
// than half of those with a verdict name; a voice without one has none to give. An aspect that no judgement knows has the
// reason "no verdict".
CombinedVerdict combined_verdict(const std::vector<Judgement>& judgements, const std::string& aspect);

// The tournament of all duels of a voice, in whatever orders; nothing where one of its judgements has none.
std::optional<TournamentResult> voice_tournament(const std::vector<const Judgement*>& orders, const std::string& aspect);

// The aspects of which these say something, or why they do not.
std::set<std::string> aspects_of(const std::vector<Judgement>& judgements);

}  // namespace craft
