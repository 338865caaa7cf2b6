// Preference pairs from judged responses to one history (CRAFT §5.1.2).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "data/pair.h"
#include "data/trajectory.h"

namespace craft {

// Who says which of a history's samples is best and which worst.
enum class RankBy {
    s_a,    // the reward
    judge,  // another judge's verdict, instead of it
    both,   // the verdict, where the reward sets its two samples apart in the same direction
};

struct PairOptions {
    double min_gap = 5;      // points of S_a (0-100) between preferred and dispreferred; 0: any difference
    double min_tool_f1 = 0;  // S_v (0-1) below which a response is not chosen; read where S_a alone ranks
    RankBy rank_by = RankBy::s_a;
};

// What another judge said of the samples.
struct SampleVerdict {
    std::optional<size_t> best, worst;  // numbers of samples; absent: it gave no verdict
    std::string reason;                 // why not
    Json origin = Json::object();       // judge, aspect, order: for the pair's provenance
};

// A pair, or why there is none: "empty" (fewer than two responses with text), "cut" (fewer than two that also came to their
// end), "unusable" (fewer than two of these whose revision is one: the others were judged by the text as it was),
// "wrong calls" (none of these reaches min_tool_f1), "identical" (all of them, or the best and the worst, read the same),
// "tie" (all equally good), "gap" (nearer than min_gap). What rounding leaves is no difference. Ranked by another judge also
// "verdict: REASON" (it gave none), and with RankBy::both "disagreement" (the reward is for the other one).
struct PairOutcome {
    std::optional<Pair> pair;
    std::string dropped;
    int64_t empty_responses = 0, cut_responses = 0, unusable_responses = 0;  // left out before choosing
};

// The chosen response is the sample with the highest S_a among those that reach min_tool_f1, the rejected one that with the
// lowest of all. Among equals the one with
// the highest mean_logprob is taken, else the first. Both become the assistant's message after `history`. `origin`
// (instruction, step, round) goes into the pair's provenance beside scores and indices. `verdict` is read unless S_a ranks;
// its samples must be usable ones (usable_samples()). Throws Error on a score that is not finite.
PairOutcome build_pair(const std::vector<Message>& history, const std::vector<Step>& samples,
                       const PairOptions& options = {}, const Json& origin = Json::object(),
                       const SampleVerdict& verdict = {});

// The samples that a pair may be made of: with text that came to its end and a revision. Their numbers.
std::vector<size_t> usable_samples(const std::vector<Step>& samples);
// Why fewer than two are: "empty", "cut" or "unusable", as of PairOutcome; empty: two are.
std::string too_few_usable(const std::vector<Step>& samples);
// Points of S_a. It is a weighted sum: equal ones can differ in their last bits.
inline constexpr double kScoreRounding = 1e-9;

}  // namespace craft
