// Whether a stopped command can go on.
#pragma once

#include <string>

namespace craft {

// Where the finished part of the command's work lies, so that the same command can go on from there: the run folder, once
// open_run() has opened it. Empty if nothing is kept.
void set_resumable_run(const std::string& place);
const std::string& resumable_run();

}  // namespace craft
