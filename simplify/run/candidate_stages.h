// The first half of a run: candidates, verdicts of the judge by rules, pairs.
#pragma once

#include <filesystem>
#include <vector>

#include "data/pair.h"
#include "judge/verdicts/judgement_rows.h"
#include "simplify/candidate_collection.h"
#include "simplify/run/simplify_job.h"
#include "simplify/run/student.h"

namespace craft {

// Names of the base model among the systems.
inline constexpr const char* kZeroShot = "zero_shot";
inline constexpr const char* kFewShot = "few_shot";

struct CandidateStage {
    std::vector<CandidateGroup> groups;
    Json counts;  // SimplificationCounts
    double seconds = 0;
};
// Of every sentence by rules:lexical, rules:split, rules:delete, rules:copy, for rewriting by rules:rewrite, and by the base
// with no example and three. Writes answers.jsonl (collected candidates) and candidates.jsonl (the input of `judge`), in
// which answers that came to their token limit do not stand: no pair can be made of them.
CandidateStage candidate_stage(const Student& student, const std::vector<SimplificationTask>& tasks,
                               SimplificationPolicy policy, const SimplifyJobOptions& options, const SimplifyJobParts& parts,
                               const std::filesystem::path& folder);

struct JudgementStage {
    std::vector<JudgedGroup> judged;  // in the groups' order
    double seconds = 0;
};
// Verdicts of the policy's aspect, in orders drawn by the seed. Writes judgements.jsonl (judge/verdicts/judgement_rows.h).
JudgementStage judgement_stage(const std::vector<CandidateGroup>& groups, SimplificationPolicy policy,
                               const SimplifyJobOptions& options, const SimplifyJobParts& parts,
                               const std::filesystem::path& folder);

struct PairStage {
    std::vector<Pair> pairs;
    Json counts;  // PreferencePairs::counts()
    double seconds = 0;
};
// Pairs of these verdicts; their prompts are the policy's instruction alone (policy simplification App. A.2.2). Writes
// pairs.jsonl. With SimplifyJobOptions::chosen_follows a best one that does not follow the policy is no verdict ("the best
// one does not follow the policy"). Throws Error where no group gives a pair.
PairStage pair_stage(const std::vector<CandidateGroup>& groups, const std::vector<JudgedGroup>& judged,
                     SimplificationPolicy policy, const SimplifyJobOptions& options, const SimplifyJobParts& parts,
                     const std::filesystem::path& folder);

// The same pairs with their sides drawn: each is turned round with a chance of one half, by the seed and its prompt. What
// such pairs teach is none of the judge's.
std::vector<Pair> with_drawn_sides(std::vector<Pair> pairs, uint64_t seed);

}  // namespace craft
