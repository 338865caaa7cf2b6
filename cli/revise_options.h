// The options of `revise`.
#pragma once

#include <string>
#include <vector>

#include "align/environment.h"
#include "cli/system_options.h"
#include "rollout/methods.h"
#include "rollout/model_reviser.h"

namespace craft {

struct ReviseOptions {
    std::string input, output, text, instruction;
    std::string planner, reviser = "rules", plans;
    std::vector<std::string> text_feedback = {"none"};     // what check_revise() makes `suggestions` of
    std::string feedback;                                  // whose suggestions; empty: the reviser's
    SystemSpec planner_spec, reviser_spec, feedback_spec;  // what they say
    TextFeedbackOptions suggestions;                       // without aspects: none are asked for
    std::filesystem::path prompts, tree;
    MethodOptions method;
    std::vector<std::string> without, preserve;
    std::string english = "auto";  // who tells names (cli/english_options.h)
    std::string unit = "text";
    std::vector<std::string> scorers = {"auto"};  // what check_revise() makes `environment.scorers` of
    EnvironmentOptions environment;
    ModelReviserOptions model_reviser;
    RoleSystemOptions systems;
    FlowOptions flow = {.items_at_once = 0, .items_ahead = 1024};  // resolved by check_revise()
    JsonLinesOptions lines;
    bool dry_run = false;  // only say what would be asked (cli/revise_dry_run.h)
};

void bind_revise(OptionTable& table, ReviseOptions& options);
// Resolves what the options say together, and adds problems.
void check_revise(OptionTable& table, ReviseOptions& options);

}  // namespace craft
