// One training of the student as a stage.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "data/pair.h"
#include "simplify/run/student.h"
#include "train/options.h"

namespace craft {

struct StudentTraining {
    int64_t examples = 0, tokens = 0;
    std::map<std::string, int64_t> dropped;  // pairs that are no examples, by reason
    double seconds = 0;
};

// Trains a new adapter on the student's base, which the student then carries; a loss that compares nothing sees the chosen
// sides. Writes metrics, checkpoints and adapter/. Throws Error where no pair is an example, and what train() throws.
StudentTraining training_stage(Student& student, const std::vector<Pair>& pairs, const TrainOptions& options,
                               const std::filesystem::path& folder);

}  // namespace craft
