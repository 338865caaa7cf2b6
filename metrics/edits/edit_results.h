// Results of the scorers as JSON: {"metric", "signature", "options", "corpus", "by_type", "detection", "items"}. Scales are
// 0 to 1. An item's "summands" are what metrics/edits/edit_sums.h makes corpus figures of.
#pragma once

#include "core/json.h"
#include "metrics/edits/errant_compare.h"
#include "metrics/edits/m2_scorer.h"

namespace craft {

// What F is called: "f0.5".
std::string f_name(double beta);

// `gold` is the file that was scored against; edits of it that reach beyond their sentences are counted. `detection` is by
// spans: how far the edits that were proposed are where gold ones are, whatever they make of the words there.
Json to_json(const M2Evaluation& evaluation, const M2File& gold, const M2Options& options);

// `corpus` by options.match, `by_type` in ERRANT's tier; `detection` by spans and by tokens, whatever options.match is.
// The signature names all that `corpus` depends on, and whether a file has no types but OTHER, as without a model of
// English. Throws as compare_edits() does.
Json errant_result(const M2File& hypothesis, const M2File& reference, const ErrantOptions& options, int tier);

}  // namespace craft
