// Preference pairs from judged responses to one history (CRAFT §5.1.2).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "data/pair.h"
#include "data/trajectory.h"

namespace craft {

struct PairOptions {
    double min_gap = 5;  // points of S_a (0-100) between preferred and dispreferred; 0: any difference
};

// A pair, or why there is none: "empty" (fewer than two responses with text), "cut" (fewer than two that also came to their
// end), "unusable" (fewer than two of these whose revision is one: the others were judged by the text as it was),
// "identical" (all of them, or the best and the worst, read the same), "tie" (all equally good), "gap" (nearer than
// min_gap). What rounding leaves is no difference.
struct PairOutcome {
    std::optional<Pair> pair;
    std::string dropped;
    int64_t empty_responses = 0, cut_responses = 0, unusable_responses = 0;  // left out before choosing
};

// The chosen response is the sample with the highest S_a, the rejected one that with the lowest. Among equals the one with
// the highest mean_logprob is taken, else the first. Both become the assistant's message after `history`. `origin`
// (instruction, step, round) goes into the pair's provenance beside scores and indices. Throws Error on a score that is not
// finite.
PairOutcome build_pair(const std::vector<Message>& history, const std::vector<Step>& samples,
                       const PairOptions& options = {}, const Json& origin = Json::object());

}  // namespace craft
