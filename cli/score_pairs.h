// `score` of an encoder-decoder: rows of a source and a target.
#pragma once

#include <filesystem>
#include <string>

#include "core/json.h"
#include "core/partial_rows.h"
#include "model/kernels/placement.h"

namespace craft {

struct ScorePairs {
    std::filesystem::path model;
    std::string input, output;
    bool ids = false;  // rows have source_ids and target_ids, else prompt and completion
    int64_t batch_tokens = 4096;
    JsonLinesOptions lines;
};

// Writes a line for each row, in their order, those first that an earlier process left in `partial`. Throws Error naming
// file:line or file and tensor.
void score_pairs(const ScorePairs& options, const Placement& place, PartialRows& partial);

// {"id","logprobs"} of a row, for plain strings {"id","logprob","tokens","logprobs"}. Throws Error if one is not finite.
Json scores_line(const Json& id, const double* logprobs, size_t count, bool ids);

}  // namespace craft
