// SARI (Xu et al. 2016) as EASSE 0.2.4 computes it, 0-100: how well the words that a revision added, kept and deleted agree
// with those of the references.
#pragma once

#include <memory>

#include "metrics/metric.h"
#include "metrics/options.h"

namespace craft {

// Parts "add", "keep" and "del", 0-100. Defaults: lowercased, 13a, variant `easse`. For n from 1 to 4 counts are summed over
// the corpus, then precision, recall and F1 are taken of the sums, and the mean over n; 0/0 is 0. An item's value is that of
// a corpus of one. Needs source, prediction and references, whose number may differ between items.
//
// The variant `published` is what EditEval's program (commit 013cd20) makes of items with different numbers of references:
// all are cut to the smallest number, of which the first ones stay (`references_cut` counts the others). It needs all items
// at once; an item alone keeps all of its references.
std::unique_ptr<Metric> make_sari(const MetricOptions& options);

}  // namespace craft
