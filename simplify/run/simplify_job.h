// Policy-driven simplification from sentences to table (policy simplification §2.2, §4): candidates, verdicts, pairs,
// trainings with their controls, evaluation.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "judge/verdicts/candidate_orders.h"
#include "judge/verdicts/preference_pairs.h"
#include "judge/verdicts/principles/candidate_findings.h"
#include "simplify/policy.h"
#include "simplify/rule_systems.h"
#include "simplify/run/policy_summary.h"
#include "systems/system.h"
#include "train/options.h"

namespace craft {

struct SimplifyJobOptions {
    std::filesystem::path model;  // the student's base, and one of the systems that give candidates
    std::string chat_template;    // a file, or the name of one that ships; empty: the model's own
    std::vector<SimplificationPolicy> policies = {SimplificationPolicy::lexical, SimplificationPolicy::rewriting};
    std::filesystem::path sentences;  // a folder with train.jsonl and test.jsonl, {"id","text"} per line
    int64_t limit = 0;                // sentences of train.jsonl, the first ones; 0: all
    int64_t test = 0;                 // of test.jsonl; 0: all
    std::filesystem::path data;       // a folder with ASSET and TurkCorpus, whose dev sets SARI is measured on; empty: none
    int64_t items = 100;              // of each of these two, drawn alike in every run; 0: all
    // Of the model's answers, as candidates and in evaluations: greedy (§4.1).
    SamplingOptions sampling = {.max_new_tokens = 128, .keep_histories = false, .stage = "simplify"};
    CandidateOrders orders = CandidateOrders::random;
    // A chosen side that is the source itself teaches nothing but to leave texts alone.
    PairFilters filters = {.max_source_copy = 0.999};
    // Pairs are made of chosen sides that follow the policy alone: the best of bad ones is no example.
    bool chosen_follows = true;
    TrainOptions preference;  // of `trained` and `random`
    TrainOptions sft;
    int64_t items_at_once = 64;  // sentences worked on side by side
    uint64_t seed = 1;
    SimplifyJobOptions();  // trainings with their defaults
};

// What others do for the job; all of it may be called by several threads at once.
struct SimplifyJobParts {
    RuleResources rules;           // of the systems by rules
    PrincipleSources judge;        // of the judge that pairs come from
    PrincipleSources other_judge;  // of the second one, which takes no part in them
};

// Writes to `folder`, in stages and for each policy: POLICY/candidates, judgements, pairs, random-pairs, sft, trained and
// random (with their adapters), evaluation/NAME; then summary.json. A stopped run resumes where it was. `inputs_are_fit`, if
// given, is called before the long work, when model and sentences have been read. Throws Error where there are no pairs, and
// what the stages throw.
SimplifySummary run_simplify_job(const SimplifyJobOptions& options, const SimplifyJobParts& parts, at::ScalarType dtype,
                                 const at::Device& device, const std::filesystem::path& folder,
                                 const std::function<void()>& inputs_are_fit = nullptr);

}  // namespace craft
