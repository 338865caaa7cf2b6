// Preference pairs of judged candidates (policy simplification §2.2, Eq. 3).
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>

#include "data/candidates.h"
#include "data/pair.h"

namespace craft {

// Which of a group's candidates a judge prefers, and how it came to that: what stands in the pair's provenance.
struct ChosenCandidates {
    size_t chosen = 0, rejected = 0;
    std::optional<double> gap;     // between their scores; absent where a judge gave verdicts and no numbers
    Json origin = Json::object();  // judge, aspect, verdict, order, seed, hashes
};

struct PairFilters {
    double min_gap = 0;           // of scores; 0: any difference
    double max_length_ratio = 0;  // of the longer side's words to the shorter one's; 0: any
    double max_source_copy = 1;   // chosen sides more alike their source than this are left out; 1: none
    bool one_system = true;       // both sides may be of one system
};

// Makes a pair of each group, or counts why not: every group is counted once.
class PreferencePairs {
public:
    // `prompt`: what a planner or student would be asked with.
    PreferencePairs(PairFilters filters, std::function<PromptText(const CandidateGroup&)> prompt);
    // `chosen` is absent where the judge gave none, for this `reason`.
    std::optional<Pair> add(const CandidateGroup& group, const std::optional<ChosenCandidates>& chosen,
                            const std::string& reason = "");
    // {"groups","pairs","dropped":{reason:count},"one_system":...}; groups = pairs + the sum of dropped.
    Json counts() const;

private:
    PairFilters filters_;
    std::function<PromptText(const CandidateGroup&)> prompt_;
    int64_t groups_ = 0, pairs_ = 0, one_system_ = 0;
    std::map<std::string, int64_t> dropped_;
};

}  // namespace craft
