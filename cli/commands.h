// All sub-commands. A new one is declared here, listed in commands.cpp and lives in a file of its own.
#pragma once

#include <vector>

#include "cli/command.h"

namespace craft {

std::vector<Command> commands();

// One function a command, each in a file of its name.
Command align_command();
Command base_model_command();
Command chat_command();
Command constraints_command();
Command doctor_command();
Command export_command();
Command inspect_command();
Command language_model_command();
Command trajectories_command();
Command trajectories_import_command();
Command trajectories_export_command();
Command plan_command();
Command quickstart_command();
Command sft_command();
Command tokenize_command();
Command tokenizer_train_command();
Command score_command();
Command loss_command();
Command generate_command();
Command embed_command();
Command eval_cord_command();
Command eval_tools_command();

}  // namespace craft
