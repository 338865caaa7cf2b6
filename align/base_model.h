// The small base model that ships with the project: a tokenizer and a decoder trained from nothing on the project's texts
// and on reading exercises made from them (data/exercises.h).
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "model/decoder.h"
#include "train/options.h"

namespace craft {

struct BaseModelOptions {
    int64_t vocabulary = 3000;
    int64_t exercises = 40000;
    DecoderConfig config;  // sizes; the tokens are filled in from the tokenizer
    TrainOptions train;    // full; one epoch sees each exercise once
    uint64_t seed = 1;
};
BaseModelOptions default_base_model_options();

// Writes the model folder `folder`/model (bfloat16 weights); checkpoints and metrics go to `folder`/train, so that
// a stopped run goes on. `texts` are the training texts; `spellings` further lines that the
// tokenizer, not the model, learns from (prompts and wordings, so that they cost few tokens).
void make_base_model(const std::vector<std::string>& texts, const std::vector<std::string>& spellings,
                     const BaseModelOptions& options, const std::filesystem::path& folder);

}  // namespace craft
