// A text's candidates from several simplifiers (policy simplification §2.2, step 1), and what is told of many texts
// together.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "data/candidates.h"
#include "simplify/policy.h"
#include "simplify/text_simplifier.h"

namespace craft {

// One text as every simplifier answered it, in their order.
struct CollectedCandidates {
    struct One {
        std::string system;
        Simplification made;
    };
    std::string id, source, policy;
    std::vector<One> all;

    // Those that have a text; a group without candidates is no group that a judge can read.
    CandidateGroup group() const;
};

// Asks them one after another.
CollectedCandidates collect_candidates(const SimplificationTask& task, SimplificationPolicy policy,
                                       const std::vector<const TextSimplifier*>& simplifiers);

// {"id","source","policy","answers":[{"system","text","failure"?,"noted"?,"first"?,"rounds"?}...]}: for who resumes where a
// run stopped.
Json to_json(const CollectedCandidates& collected);
// Throws Error naming `where` on another form.
CollectedCandidates collected_from_json(const Json& row, const std::string& where);

// Counts of simplifications by their system.
class SimplificationCounts {
public:
    void add(const std::string& system, const Simplification& made);
    // Throws Error naming a model of which no answer could be used.
    void require_answers(const std::string& hint) const;
    // {SYSTEM: {"texts","made","left_out":{reason:count},"noted":{kind:count}}}; texts = made + the sum of left_out.
    Json to_json() const;

private:
    struct Of {
        int64_t texts = 0, made = 0;
        std::map<std::string, int64_t> left_out, noted;
    };
    std::map<std::string, Of> systems_;
};

}  // namespace craft
