// A command of the user's that finds names (GLiNER), in the place of the English model.
#pragma once

#include <string>
#include <vector>

#include "cli/english_options.h"
#include "core/process/json_command.h"

namespace craft {

// --recogniser and its time-out and restarts, of commands that have --english.
void bind_recogniser(OptionTable& table, JsonCommandOptions& recogniser);
// The command's names of these texts, all asked together, if there is a command; else find_names(english). Throws Error as
// keywords_by_command() (judge/scorers/preservation.h) and find_names() do; finding throws std::out_of_range for other
// texts.
NameFinder names_of_texts(const JsonCommandOptions& recogniser, const std::string& english,
                          const std::vector<std::string>& texts);

}  // namespace craft
