// A round's training on its pairs or groups, and the control's.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>

#include "align/round.h"

namespace craft {

// Builds examples of that training for this planner; a maximum length of 0 is the model's.
ExampleBuilder example_builder(const Planner& planner, const ExampleOptions& limits);

// What a round's training, and the control's, are told: the seed is still the round's to say.
TrainOptions round_train_options(const AlignOptions& options);
TrainOptions control_train_options(const AlignOptions& options);

struct TrainedStage {
    int64_t examples = 0, tokens = 0;  // trained on; computed
    double seconds = 0;
    std::map<std::string, int64_t> dropped;  // examples that could not be built, by reason
};

// Continues the planner's adapter with one training on the round's pairs or groups and saves it to `folder`/adapter. Does
// nothing if no example can be built. Of groups, log-probabilities by the planner as it is now, which has sampled them, and
// by the reference are computed first, where the training needs them: again where it resumes, as they are in no file.
TrainedStage train_round(Planner& planner, const RoundData& data, const AlignOptions& options, int64_t round,
                         const std::filesystem::path& folder, ProcessGroup& group = ProcessGroup::alone());

// The same with SFT on the chosen responses of the pairs, or the best ones of the groups, which are repeated until `tokens`
// tokens have been computed.
TrainedStage train_control(Planner& planner, const RoundData& data, const AlignOptions& options, int64_t round,
                           int64_t tokens, const std::filesystem::path& folder, ProcessGroup& group = ProcessGroup::alone());

}  // namespace craft
