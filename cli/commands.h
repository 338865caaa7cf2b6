// All sub-commands: a new one lives in a file of its own and is listed in commands.cpp.
#pragma once

#include <vector>

#include "cli/command.h"

namespace craft {

std::vector<Command> commands();

}  // namespace craft
