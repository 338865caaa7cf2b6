// The options of `eval editeval`.
#pragma once

#include <string>
#include <vector>

#include "cli/model_metrics.h"
#include "cli/system_options.h"
#include "eval/editeval/benchmark.h"

namespace craft {

struct EvalEditevalOptions : EditBenchmarkOptions {
    SystemSpec system_spec;            // what `system` says
    ModelMetricOptions bertscore;      // its model empty: BERTScore is left out
    JsonCommandOptions lens;           // its command empty: LENS is left out
    std::vector<std::string> results;  // run folders to be laid side by side, instead of all that
    std::string figure = "sari";       // of these box plots and the table
    RoleSystemOptions systems;
    FlowOptions flow = {.items_at_once = 256, .items_ahead = 4096};
};

void bind_eval_editeval(OptionTable& table, EvalEditevalOptions& options);
// Resolves what the options say together, and adds problems.
void check_eval_editeval(OptionTable& table, EvalEditevalOptions& options);

}  // namespace craft
