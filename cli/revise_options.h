// The options of `revise`.
#pragma once

#include <string>
#include <vector>

#include "cli/role_options.h"
#include "rollout/revision_run.h"

namespace craft {

struct ReviseOptions : RevisionRunOptions {
    std::string planner, reviser = "rules";
    // What check_revise() makes `suggestions` of; auto: all in a search that has a model to ask.
    TextFeedbackChoice text_feedback = {.aspects = {"auto"}, .system = ""};
    std::vector<std::string> without, preserve;
    std::string english = "auto";  // who tells names (english/find_english.h)
    std::string unit = "text";
    std::vector<std::string> scorers = {"auto"};  // what check_revise() makes `environment.scorers` of
    bool dry_run = false;                         // only say what would be asked (rollout/revision_estimate.h)
};

void bind_revise(OptionTable& table, ReviseOptions& options);
// Resolves what the options say together, and adds problems.
void check_revise(OptionTable& table, ReviseOptions& options);

}  // namespace craft
