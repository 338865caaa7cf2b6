// The main job from texts to table: instructions, trajectories, SFT, rounds of self-training, evaluation.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>

#include "align/align.h"

namespace craft {

struct MainJobOptions {
    std::filesystem::path base_model;  // a model folder or a GGUF file
    std::string chat_template;    // in place of the folder's: a file, or the name of one that ships; empty: the folder's
    std::filesystem::path texts;  // a folder with train.jsonl, select.jsonl and dev.jsonl
    double passages = 0;          // share of the short texts that is joined to passages (with_passages())
    int64_t text_words = 0;       // longer texts are left out; 0: none is
    int64_t trajectories = 2000;  // for SFT, C0-C3 (the paper's number)
    int64_t per_text = 1;         // trajectories of a text, which SFT computes once for this many: they are one example
    int64_t teacher_steps = 5;    // at most, a trajectory; with one, its S_r is not measured
    int64_t plan_lines = 0;       // of the sentences to change; 0: a line for every sentence
    int64_t quote_words = 0;      // of a sentence in a plan line; 0: the whole sentence
    std::vector<int> domains = {0, 1, 2, 3};  // of the trajectories, in turn; one that occurs twice comes twice as often
    int64_t selection = 120;     // instructions that choose SFT's epoch, and as many others that choose the round
    int64_t dev = 300;           // reported; all balanced over C1-C3 and all shapes
    int64_t asked_per_text = 1;  // instructions of a text in these sets and in rounds: planners read the text once for them
    int64_t base_dev = 0;        // of these, those that the base model is asked; 0: all
    int64_t others = 60;         // instructions of C0 and of C4 for the best planner; 0: none
    TrainOptions sft;
    AlignOptions align;
    EnvironmentOptions environment;
    uint64_t seed = 1;
};

// Writes to `folder`, in stages: model/ (a reference to the base), instructions/, trajectories/, sft/, align/, adapter/ (the
// best planner's) and summary.json. Returns the summary, whose rows are base, sft, round-1 ..., control, and sft, best and
// control on the sealed test set (AlignOptions::test). `inputs_are_fit`, if given, is called before the long work, when
// models and texts have been read and the evaluation sets have been made.
Summary run_main_job(const MainJobOptions& options, at::ScalarType dtype, const at::Device& device,
                     const std::filesystem::path& folder, const std::function<void()>& inputs_are_fit = nullptr);

}  // namespace craft
