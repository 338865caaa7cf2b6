// Wins, ties and losses of a judge's pairwise verdicts, and what makes them doubtful: chance, and where a text stood.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/json.h"
#include "judge/verdicts/pairwise_judge.h"
#include "metrics/statistics/paired.h"

namespace craft {

struct PairwiseFigureOptions {
    std::optional<int64_t> resamples = {};  // of the items, for interval and sign test; absent: 100, as in the paper
    uint64_t seed = 1;                      // of the draws
};

// The figures of one criterion.
struct PairwiseFigures {
    int64_t wins = 0, ties = 0, losses = 0;  // of A
    int64_t equal = 0;                       // of the ties: the same text twice, about which nobody was asked
    int64_t unjudged = 0;                    // items without a verdict, left out
    std::optional<double> win_share;         // 0-1: (wins + ties / 2) / items with a verdict; absent without any
    double p = 1;                            // one-tailed sign test over the items: P(Binomial(wins + losses, 1/2) >= wins)
    double p_two_sided = 1;                  // that of either side
    std::optional<double> p_holm;            // p by Holm's correction over the criteria, where there are several
    // A's and B's mean verdict (1 a win, 1/2 a tie, 0 a loss) by the sign test over resamples of CRAFT App. D.6; absent
    // without a verdict.
    std::optional<PairedResult> resampled;
    int64_t chose_first = 0, chose_second = 0;  // answers that chose the text that stood first, or second
    std::optional<double> first_share;  // 0-1; absent without answers. A judge that heeds the texts alone is near 1/2
    double first_p = 1;                 // two-sided, against 1/2
    ChoiceCounts counts;
};

// Takes what was judged, in any order.
class PairwiseTotals {
public:
    // Throws Error if the item was added before under this criterion.
    void add(const std::string& id, const std::string& criterion, const PairJudgement& judgement);
    // By criterion. Throws Error where an option is wrong.
    std::map<std::string, PairwiseFigures> figures(const PairwiseFigureOptions& options) const;
    // {"id", criterion: 1 where A is better, .5 a tie, 0 where B is, null without a verdict}, by id.
    Json items() const;
    ChoiceCounts counts() const;  // over all criteria

private:
    using Verdicts = std::map<std::string, std::optional<PairVerdict>>;  // by id
    std::map<std::string, Verdicts> verdicts_;                           // by criterion
    std::map<std::string, PairwiseFigures> sums_;                        // likewise
};

Json to_json(const PairwiseFigures& figures);

}  // namespace craft
