// ROUGE and UpdateROUGE as metrics.
#pragma once

#include <memory>

#include "metrics/metric.h"
#include "metrics/options.h"

namespace craft {

// rouge-score 0.1.2's ROUGE-1, -2, -L and -Lsum, 0-1, without stemmer; of several references, for each kind the one with the
// best F. The value `rouge` is ROUGE-1's F; beside it stand F of each kind (rouge1, rouge2, rougeL, rougeLsum), precision
// and recall (rouge1_precision ...). Corpus figures are means over items; `texts_without_words` counts predictions and
// references that have no ASCII letter or digit, and so score 0 whatever they say. Needs prediction and references.
//
// The variant `published` compares the prediction with Python's print of the list of references, as EditEval's program
// (commit 013cd20) does with the library that it pins: with several references recall and F are far too low.
std::unique_ptr<Metric> make_rouge(const MetricOptions& options);

// metrics/update_rouge.h, 0-1. The value `update_rouge` is UpdateROUGE-1's F, the mean over the item's references as
// EditEval's program takes it; beside it stand those of each kind (update_rouge1, update_rouge2, update_rougeLsum) and their
// maximum over references, which the paper's appendix C names (update_rouge1_best ...). Corpus figures are means over items;
// `texts_without_words` counts as above, over whole texts.
// Needs source, prediction and references.
std::unique_ptr<Metric> make_update_rouge(const MetricOptions& options);

}  // namespace craft
