// Log-probabilities by the reference that DPO compares with: computed once, before a training.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "losses/losses.h"
#include "model/decoder/decoder.h"
#include "train/parallel/process_group.h"

namespace craft {

// Of pairs (trees with a chosen and a rejected branch), by the weights that `loss.reference` names: the decoder's as they
// are, or those without its adapter. Dropout is off; a pair's prompt and the common beginning of its responses are computed
// once. Micro-batches are cut before they are dealt to the ranks, so that the numbers are the same for any number of ranks.
// Throws Error on trees that are no pairs, and where a sum is not finite; Stopped after a signal. `on_done` hears of each
// micro-batch.
std::vector<ReferenceSums> reference_sums(const Decoder& decoder, const std::vector<const TokenTree*>& pairs,
                                          const LossOptions& loss, int64_t micro_batch_tokens, Ranks& ranks,
                                          const std::function<void(int64_t pairs)>& on_done = nullptr);

// Those of a training, in the order of its data.
struct TrainingReferences {
    std::vector<ReferenceSums> data, eval_data;
};

// Reads FOLDER/reference.json, or computes and writes it: a run that resumes, with other weights by then, goes on with the
// same numbers. `fingerprint` says what data, options and starting weights they belong to; throws Error where the file has
// another one. Rank 0 alone reads and writes the file.
TrainingReferences training_references(const Decoder& decoder, const std::vector<TokenTree>& data,
                                       const std::vector<TokenTree>& eval_data, const LossOptions& loss,
                                       int64_t micro_batch_tokens, const std::string& fingerprint,
                                       const std::filesystem::path& folder, ProcessGroup& group);

}  // namespace craft
