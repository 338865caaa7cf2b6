// The options of commands, told without running them: for completions and the man page.
#pragma once

#include <functional>

#include "cli/command.h"
#include "core/options.h"

namespace craft {

using TellOptions = std::function<void(const Command& command, const OptionTable& table)>;

// Calls tell(command, its options) where the command would parse its arguments; it does nothing else.
void describe(const Command& command, const TellOptions& tell);
// What the command is described to now; null: it is to work.
const TellOptions* described_to();

}  // namespace craft
