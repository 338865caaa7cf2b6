// A row of `loss`: a loss with its coefficients and the batch to compute it on.
#pragma once

#include <string>
#include <vector>

#include "core/json.h"
#include "losses/losses.h"
#include "model/kernels/packed_batch.h"
#include "model/spec/decoder_config.h"

namespace craft {

struct LossRequest {
    LossOptions loss;
    std::vector<TokenTree> examples;             // of pairs both whole sequences, of sft one
    std::vector<ReferenceSums> references = {};  // as the pairs give them; empty: to be computed, if the loss needs them
};

// {"request":{"loss",…},"pairs":[{"chosen":{"input_ids","completion_mask"},"rejected":{…}}]}, of sft "sequences":
// [{"input_ids","completion_mask"}]. Pairs of a loss that needs a reference may give its sums, all or none:
// "reference":{"chosen","rejected"}. Missing keys of the request take the loss's defaults; without "loss" it is sft for
// sequences and craft for pairs. The first token of a sequence never counts: nothing predicts it. Throws Error naming
// `where` and the field: unknown keys, wrong types or lengths, ids outside the vocabulary, more tokens than the model has
// positions, nothing that counts.
LossRequest loss_request(const Json& row, const DecoderConfig& config, const std::string& where);

}  // namespace craft
