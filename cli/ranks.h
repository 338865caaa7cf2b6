// The processes that a training command runs in, as a launcher's variables say.
#pragma once

#include <string>
#include <vector>

#include "cli/common.h"
#include "parallel/process_group.h"

namespace craft {

// Joins the other ranks (a group of one without a launcher) and takes this rank's part of the machine into `common`: its own
// GPU, and unless --threads is given, a share of the cores. From then on ranks other than 0 speak of errors only, by name.
// Throws UsageError for a launch or a device that does not fit, for one of `inputs` that is stdin or a shell's pipe, which
// ranks cannot share, and what ProcessGroup throws.
ProcessGroup join_ranks(CommonOptions& common, const GroupOptions& options, const std::vector<std::string>& inputs);

// {"ranks","ranks_of_this_machine","hosts","threads_of_each"}, for manifests; after open_place().
Json to_json(const ProcessGroup& group);

}  // namespace craft
