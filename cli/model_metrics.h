// The options of metrics that need a model or a command (judge/scorers/model_metrics.h).
#pragma once

#include <string>

#include "core/options.h"
#include "judge/scorers/model_metrics.h"

namespace craft {

void bind_model_metrics(OptionTable& table, ModelMetricOptions& options);
// Adds a problem for each option that `metric`, which may be any metric, does not use, and for those that it needs and
// lacks.
void check_model_metrics(OptionTable& table, const std::string& metric, const MetricOptions& of_texts);

}  // namespace craft
