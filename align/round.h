// The stages of one round up to what it trains on: instructions, histories, sampled responses, pairs or groups.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "align/align.h"
#include "data/response_counts.h"
#include "judge/groups.h"

namespace craft {

struct RoundData {
    std::vector<Pair> pairs;                 // what the round trains on, without a method
    std::vector<ResponseGroup> groups;       // or with one
    std::map<std::string, int64_t> dropped;  // histories without a pair or group and instructions not made, by reason
    // Of histories and samples, what became of their revisions and what was suggested (Step::counted), and of the
    // instructions, who wrote them (InstructionMakingReport::counted()). No pair is made of a sample with "unusable: ...".
    std::map<std::string, int64_t> counted;
    int64_t generated_tokens = 0;
    double mean_best = 0, mean_all = 0;  // S_a of the best sample and of all, over histories
    // The share of S_a's variance between the samples of a history that S_r's term explains, their covariance over all
    // histories; absent if the samples do not differ, or without scorers. Near 0: quality chooses no pair.
    std::optional<double> quality_share;
    ResponseCounts sampled;  // of the responses that pairs are chosen from
};

std::string round_name(int64_t round);  // of its folder and its random streams: "round-1"

// The pairs or groups by the step that their responses are, from 1 on.
std::map<int64_t, int64_t> pairs_by_step(const RoundData& data);

// Makes the round's data with the planner as it is, of the inputs' texts or ready instructions, or reads what a former
// process made; the ranks share the sampling out. Stages under `folder`: instructions/, histories/, pairs/. Throws Error
// where not one of the sampled responses can be used; nothing of them is stored then, so that the next run asks again.
RoundData make_round_data(const Planner& planner, RevisionEnvironment& environment, const AlignInputs& inputs,
                          const AlignOptions& options, int64_t round, const std::filesystem::path& folder,
                          ProcessGroup& group = ProcessGroup::alone());

}  // namespace craft
