// A command of ours as a process of its own, beside which this one waits.
#pragma once

#include <string>
#include <vector>

namespace craft {

// Starts craft-train with these arguments, behind the words of a launcher, with our streams, and waits for its end. A signal
// that asks us to stop is passed on. Without a launcher it sees no launcher's variables: it is no rank of anything. Returns
// its exit code, 128 + N where signal N ended it. Throws Error where it cannot be started.
int run_stage_process(const std::vector<std::string>& launcher, const std::vector<std::string>& arguments);

}  // namespace craft
