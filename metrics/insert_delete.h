// EditEval's `id` (src/metrics/custom_metrics.py, commit 013cd20): how far prediction and reference insert and delete the
// same n-grams of words.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "metrics/metric.h"
#include "metrics/options.h"

namespace craft {

// For n of 1 to 3 the different n-grams that a text has and the source lacks (insertions), and the other way round
// (deletions): those that prediction and reference share over the larger number of the two; 1 where there are none. The mean
// of the six, 0-1, for the reference for which it is largest; needs one at least. Texts are words with one blank between
// them (metrics/words.h).
double insert_delete(const std::string& source, const std::string& prediction, const std::vector<std::string>& references);

// Words are what is between white space, case kept; the corpus figure is the mean over items. Needs source, prediction
// and references.
std::unique_ptr<Metric> make_insert_delete(const MetricOptions& options);

}  // namespace craft
