// Exact match of edits (EditEval's `em_diff`, src/diff_utils.py and src/metrics/custom_metrics.py, commit 013cd20): which of
// the reference's edits a prediction makes, each as it stands and no other.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "metrics/metric.h"
#include "metrics/options.h"

namespace craft {

struct TextEdit {
    std::string from, to;
    bool operator==(const TextEdit&) const = default;
    bool operator<(const TextEdit& other) const { return std::tie(from, to) < std::tie(other.from, other.to); }
};

// The changes that difflib finds between the texts' characters, each widened to whole words of the source and, to the right,
// until it occurs there once; those that then touch are one. Throws Error where texts are so long and repeat so much that
// this takes longer than some seconds.
std::vector<TextEdit> text_edits(std::string_view source, std::string_view target);

// Edits that prediction and reference share, each kind once, over the larger number of edits of the two, 0-1. Without any
// edit it is 0, also where both leave the source as it is.
double shared_edits(const std::vector<TextEdit>& prediction, const std::vector<TextEdit>& reference);

// The maximum of shared_edits() over the references; the corpus figure is the mean over items. Needs source, prediction and
// references.
std::unique_ptr<Metric> make_diff_match(const MetricOptions& options);

}  // namespace craft
