// The options of `eval editeval`.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "cli/model_metrics.h"
#include "cli/system_options.h"
#include "eval/editeval/asking.h"
#include "eval/editeval/normaliser.h"
#include "eval/editeval/scores.h"

namespace craft {

struct EvalEditevalOptions {
    std::filesystem::path data;         // the folder of the data sets
    std::string system;                 // who is asked; empty: nobody
    SystemSpec system_spec;             // what it says
    std::string predictions;            // a file of them, instead of a system
    std::vector<std::string> tasks;     // empty: all
    std::vector<std::string> datasets;  // empty: all
    std::vector<std::string> splits;    // empty: those that the paper counts
    int64_t items = 0;                  // of each data set, drawn by seed; 0: all
    std::filesystem::path prompts;      // empty: those that ship
    EditAsking asking;
    std::string normalize = "treebank";
    EditNormaliser::Kind normalisation = EditNormaliser::Kind::treebank;  // what `normalize` says
    std::string t5_file;                                                  // likewise
    ScoreOptions scores;
    ModelMetricOptions bertscore;      // its model empty: BERTScore is left out
    std::vector<std::string> results;  // run folders to be laid side by side, instead of all that
    std::string figure = "sari";       // of these box plots and the table
    RoleSystemOptions systems;
    FlowOptions flow = {.items_at_once = 256, .items_ahead = 4096};
    JsonLinesOptions lines;
};

void bind_eval_editeval(OptionTable& table, EvalEditevalOptions& options);
// Resolves what the options say together, and adds problems.
void check_eval_editeval(OptionTable& table, EvalEditevalOptions& options);

}  // namespace craft
