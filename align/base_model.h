// The small base model that ships with the project: a tokenizer and a decoder trained from nothing on the project's texts
// and on reading exercises made from them (data/exercises.h).
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "model/decoder/decoder.h"
#include "train/options.h"

namespace craft {

struct BaseModelOptions {
    int64_t vocabulary = 4000;
    int64_t exercises = 108000;
    DecoderConfig config;  // sizes; tokens are filled in from the tokenizer, heads (of 32, in pairs) from the width
    TrainOptions train;    // full; one epoch sees each exercise once
    uint64_t seed = 1;
};
BaseModelOptions default_base_model_options();

// Writes the model folder `folder`/model (bfloat16 weights). Checkpoints and metrics go to `folder`/train, so that a stopped
// run goes on. `texts` are the training texts. `spellings` are further lines (prompts and wordings) from which the tokenizer
// learns, but not the model, so that they cost few tokens. Throws Error on a width that is no multiple of 64.
void make_base_model(const std::vector<std::string>& texts, const std::vector<std::string>& spellings,
                     const BaseModelOptions& options, const std::filesystem::path& folder);

struct ExerciseScore {
    int64_t asked = 0, right = 0;  // right: the greedy answer is the answer to the letter
};
// How the model folder `model` answers questions made from `texts`, by kind of question and in "all". `exercises` is how
// many conversations are made; the lessons of their first half (data/exercises.h) are left out.
std::map<std::string, ExerciseScore> score_exercises(const std::filesystem::path& model,
                                                     const std::vector<std::string>& texts, int64_t exercises,
                                                     uint64_t seed);

}  // namespace craft
