// From a command line to an exit code.
#pragma once

#include <string>
#include <vector>

#include "cli/command.h"

namespace craft {

// Runs one of `commands`. Exit codes: 0 done; 1 the work failed (one line on stderr); 2 wrong usage or configuration (all
// problems, a line each); 128+N stopped by signal N with the work saved. Throws nothing.
int run_program(const std::vector<Command>& commands, int argc, const char* const* argv);

// What --help prints: the commands by group.
std::string program_help(const std::vector<Command>& commands);

}  // namespace craft
