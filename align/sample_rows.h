// Sampled responses and their verdicts as rows of a round's files.
#pragma once

#include "align/sample_judging.h"
#include "core/json.h"
#include "data/trajectory.h"

namespace craft {

// A sample as it is kept until all of the round are there.
Json sample_json(const Step& sample);
Step sample_from_json(const Json& row);
Json verdict_json(const SampleVerdict& verdict);
SampleVerdict verdict_from_json(const Json& object);
// A line of responses.jsonl: all samples after a history, and which of them the judge preferred.
Json responses_json(const Trajectory& history, const std::vector<Step>& samples, const SampleVerdict& verdict);

}  // namespace craft
