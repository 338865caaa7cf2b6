// `judge --dry-run`: what judging these candidates would ask.
#pragma once

#include <cstdint>
#include <optional>

#include "judge/run/judge_inputs.h"

namespace craft {

// Asks nobody, and opens no weights but an aligner's: {"groups", "bad_lines", "nothing_to_judge": {reason: groups},
// "judges": {NAME: what EstimatedRole::to_json() says}, "prompt": the messages of the first question}. The least requests
// take every answer to be readable at once.
Json judging_estimate(const JudgeOptions& options, const std::optional<Guideline>& guideline, const JudgeInput& input,
                      const PlacementOptions& placing, uint64_t seed);

}  // namespace craft
