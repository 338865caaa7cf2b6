// What the stages of an experiment would ask, train and cost, before any of their data is there.
#pragma once

#include <vector>

#include "cli/experiment.h"

namespace craft {

// {"stages": {NAME: {"command", and to_json(WorkEstimate)}}, "not_estimated": {NAME: why}, "total": {"requests",
// "prompt_tokens","new_tokens","trained_tokens","operations","usd","hours"}}. A stage that asks no model and trains none is
// left out. What an earlier stage will write counts as that stage says, other files are read. Null in the total: a stage has
// null there, or is not estimated. Throws Error and UsageError as to_json(WorkEstimate) does.
Json estimate_experiment(const std::vector<ExperimentStage>& stages, const WorkRates& rates, const CommonOptions& common);

}  // namespace craft
