// Preference pairs of judged candidates (policy simplification §2.2, Eq. 3).
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/id_set.h"
#include "data/candidates.h"
#include "data/leak_check.h"
#include "data/pair.h"
#include "judge/verdicts/candidate_judge.h"

namespace craft {

// Which of a group's candidates a judge prefers, and how it came to that: what stands in the pair's provenance.
struct ChosenCandidates {
    size_t chosen = 0, rejected = 0;
    std::optional<double> gap = {};  // between their scores, not negative; absent where a judge gave verdicts and no numbers
    Json origin = Json::object();    // judge, aspect, verdict, order, seed, hashes: pair_origin()
};

// How verdicts came to be, for ChosenCandidates::origin.
struct PairOrigin {
    std::string judge;                                        // its specification, or those of a panel
    std::string aspect = {};                                  // of the guideline; empty: it has none
    std::string guideline_version = {}, guideline_hash = {};  // empty: there was none
    std::optional<uint64_t> seed = {};                        // of the draws of orders; absent: none were drawn
    std::vector<Judgement> judgements = {};                   // all that led to the verdict: orders, repeats, scores
};

// {"judge","aspect","guideline":{"version","hash"},"seed","judgements":[{"judge","order","repeat","verdict":{"best","worst"}
// or null,"reason"?,"scores"?}...]}; what does not apply is left out. Verdicts and scores are by the candidates' numbers.
Json pair_origin(const PairOrigin& origin);

struct PairFilters {
    double min_gap = 0;              // of scores; 0: any difference. Verdicts without numbers cannot be held to it
    double max_length_ratio = 0;     // of the longer side's words to the shorter one's; 0: any
    double max_source_copy = 1;      // chosen sides more alike their source than this are left out; 1: none
    bool different_systems = false;  // a pair's sides may not be of one system
};

// What is wrong with these filters; nothing: empty.
std::vector<FieldProblem> pair_filter_problems(const PairFilters& filters);

// Makes a pair of each group, or counts why not: every group is counted once, under the first reason that holds, in this
// order:
//   "no verdict: REASON"  the judge gave none ("no verdict" where it gave no reason)
//   "tie"                 that was its reason, or the gap is 0 but for rounding
//   "cut", "empty"        a side that came to its token limit; one that holds nothing but white space
//   "identical"           both sides read the same, white space aside
//   "gap"                 nearer than min_gap
//   "one system"          both sides are of one system, where that is asked for
//   "length ratio"        words (between white space) of the longer side to those of the shorter one
//   "near copy"           similarity of the chosen side to its source by characters, 0-1: indel_similarity()
//                         (text/character_similarity.h), runs of white space taken as one blank
//   "leak"                source or a side shares a sequence of words with an evaluation file (data/leak_check.h)
//   "duplicate"           a pair of this run has the same prompt, chosen and rejected side, white space of the sides aside
class PreferencePairs {
public:
    // `prompt`: what a planner or student would be asked with; sides are strings or messages as it is. `leaks` may be null.
    // Throws UsageError with pair_filter_problems().
    PreferencePairs(PairFilters filters, std::function<PromptText(const CandidateGroup&)> prompt,
                    std::shared_ptr<const LeakCheck> leaks = nullptr);
    // `chosen` is absent where the judge gave none, for this `reason`. A pair's provenance is the origin with "source_id",
    // "source_hash" (hash128_text()), "policy" (if there is one), "chosen_system", "rejected_system", "systems" (of all
    // candidates), "verdict" {"best","worst"} by the candidates' numbers, and "gap" (if there is one). Throws Error where
    // chosen and rejected are no two candidates of the group, a gap is negative or not finite, or none is there and min_gap
    // is above 0; such a group is not counted.
    std::optional<Pair> add(const CandidateGroup& group, const std::optional<ChosenCandidates>& chosen,
                            const std::string& reason = "");
    // {"groups","pairs","dropped":{reason:count},"one_system":pairs with both sides of one system}; groups = pairs + the sum
    // of dropped.
    Json counts() const;

private:
    std::string problem_of(const CandidateGroup& group, const ChosenCandidates& chosen) const;
    Pair pair_of(const CandidateGroup& group, const ChosenCandidates& chosen) const;
    bool is_new(const Pair& pair, const CandidateGroup& group, const ChosenCandidates& chosen);

    PairFilters filters_;
    std::function<PromptText(const CandidateGroup&)> prompt_;
    std::shared_ptr<const LeakCheck> leaks_;
    IdSet made_;
    int64_t groups_ = 0, pairs_ = 0, one_system_ = 0;
    std::map<std::string, int64_t> dropped_;
};

struct PairMakingOptions : PairFilters {
    std::vector<std::string> leak_files;  // of evaluations; none: nothing is checked
    int64_t leak_words = 8;               // a sequence
};

// Reads the evaluation files; null where there are none. Throws Error as LeakCheck does.
std::shared_ptr<const LeakCheck> open_leak_check(const PairMakingOptions& options);

}  // namespace craft
