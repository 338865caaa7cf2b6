// The metrics by their names.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "metrics/metric.h"
#include "metrics/options.h"

namespace craft {

std::vector<std::string> metric_names();  // in alphabetical order

// What is wrong with these options for this metric, one line each; a name that is not known is a line that lists the known
// ones.
std::vector<std::string> metric_problems(const std::string& name, const MetricOptions& options);

// Throws UsageError with all of metric_problems().
std::unique_ptr<Metric> make_metric(const std::string& name, const MetricOptions& options = {});

// Whether less of this figure is better: perplexity, errors of LaTeX or grammar, NE_ER, over-correction, and grade levels.
bool is_lower_better(const std::string& key);

}  // namespace craft
