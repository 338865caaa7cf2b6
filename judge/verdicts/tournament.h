// The best and the worst of several candidates by verdicts between two of them at a time (Copeland's method).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "judge/verdicts/duel.h"
#include "judge/verdicts/listwise_reply.h"

namespace craft {

struct TournamentResult {
    std::optional<ListwiseVerdict> verdict;
    std::string reason;  // without one: "tie", "unjudged" (what was not judged could change it), "too few candidates"
    std::vector<double> scores;  // Copeland's, of each candidate: 1 for each other one that it beats, 1/2 for each draw
    int64_t ties = 0;            // of the candidates' pairs, those that were drawn
    int64_t unjudged = 0;        // those that did not meet, or had a meeting without a verdict
};

// Two candidates may meet any number of times (in both orders): who wins more often beats the other, equally often is a
// draw; a tied duel is half a win for either. The best has a higher score than every other one, the worst a lower one.
// Nothing breaks ties. Where pairs are unjudged a verdict stands only if no outcome of theirs could change it. Throws Error
// on a duel of a candidate with itself or with one that is not there.
TournamentResult run_tournament(size_t candidates, const std::vector<Duel>& duels);
// Of those candidates alone that `order` names, each once; scores by their places in it, the verdict by their numbers.
TournamentResult run_tournament(const std::vector<size_t>& order, const std::vector<Duel>& duels);

}  // namespace craft
