// What makes a judge doubtful: places that it prefers, verdicts that change with the order or from time to time, systems of
// its own family; and how often each system is preferred (policy simplification Table 3).
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "core/json.h"
#include "judge/verdicts/judgement_rows.h"
#include "systems/usable_answers.h"

namespace craft {

// Two verdicts about the same candidates, many times.
struct VerdictAgreement {
    int64_t compared = 0;  // times both had a verdict
    int64_t same = 0, best_same = 0, worst_same = 0;
    int64_t reversed = 0;  // the best one of either is the worst one of the other
    void add(const ListwiseVerdict& one, const ListwiseVerdict& other);
};
// The fields, "differ", and shares (0-1, null where nothing was compared) of "same", "differ" and "reversed".
Json to_json(const VerdictAgreement& agreement);

// How often who stood at a place was called best or worst, by answers.
struct PlaceFigures {
    int64_t shown = 0, best = 0, worst = 0;
    double expected = 0;  // times best, and worst, of a judge that does not heed places: the sum of 1 / candidates shown
};

// Where candidates were compared two at a time, in all orders of a repeat: pairs of candidates.
struct DuelFigures {
    int64_t met = 0, drawn = 0, unjudged = 0;
};

struct SystemFigures {
    int64_t stood = 0, best = 0, worst = 0;  // candidates of judgements with a verdict; those preferred and dispreferred
};

struct AspectFigures {
    int64_t verdicts = 0;                    // judgements with one
    std::map<std::string, int64_t> without;  // judgements without, by reason
    std::vector<PlaceFigures> places;
    DuelFigures duels;
    VerdictAgreement orders;   // of a repeat's two orders
    VerdictAgreement repeats;  // of each two repeats, in corresponding orders
    std::map<std::string, SystemFigures> systems;
};

struct JudgeFigures {
    int64_t judgements = 0;
    int64_t answers = 0, asked_again = 0;  // all attempts; those after a question's first
    int64_t thought = 0;                   // answers with thinking
    std::map<std::string, int64_t> malformed, failed, let_pass, noted;
    std::map<std::string, AspectFigures> aspects;
};

class JudgingFigures {
public:
    void add(const JudgedGroup& group);
    const std::map<std::string, JudgeFigures>& judges() const { return judges_; }  // by name
    int64_t groups() const { return groups_; }
    UsableAnswers answers() const;  // of all judges: those that could be read
    // {"groups","judges":{NAME:{...,"aspects":{NAME:{"verdicts","without","places":[...],"duels","orders","repeats","systems":{
    // ...}}}}},"between_judges":[{"a","b","aspect",...}]}; duels ({"met","drawn","unjudged"}), orders and repeats are null
    // where nothing was compared.
    Json to_json() const;

private:
    void add_judgement(const Judgement& judgement, const std::vector<std::string>& systems, JudgeFigures& figures);
    void compare_repeats(const std::vector<Judgement>& by_one_judge, JudgeFigures& figures);
    void compare_judges(const std::map<std::string, std::vector<Judgement>>& by_judge);

    int64_t groups_ = 0;
    std::map<std::string, JudgeFigures> judges_;
    std::map<std::tuple<std::string, std::string, std::string>, VerdictAgreement> between_;  // judge, judge, aspect
};

// The judgements of two runs over the same candidates, think against no-think for example: by aspect, over the groups of
// which both have a combined verdict: {"only_a","only_b","aspects":{NAME:{"without_a","without_b",agreement,"systems":{NAME:
// {"best_a","best_b","worst_a","worst_b"}}}}}, shares 0-1. Throws Error where a group's systems differ, or no group is in
// both.
Json compare_judgings(const std::vector<JudgedGroup>& a, const std::vector<JudgedGroup>& b);

}  // namespace craft
