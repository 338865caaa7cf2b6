// Slurm's way of writing host lists: "node[01-04,07],login1", "rack[1-2]node[3-4]".
#pragma once

#include <string>

namespace craft {

// The first host of the list ("node01"). Throws Error naming the place that is not understood; the list is read to its end.
std::string first_host(const std::string& list);

}  // namespace craft
