// The processes that a training command runs in, as a launcher's variables say.
#pragma once

#include <string>
#include <vector>

#include "cli/common.h"
#include "train/parallel/process_group.h"

namespace craft {

// Joins the other ranks (without a launcher the group has one) and sets this rank's part of the machine in `common`: its own
// GPU and, unless --threads is given, a share of the cores. From then on ranks other than 0 log errors only, with their
// name. Throws UsageError for a launch or a device that does not fit, and for an input that is stdin or a shell's pipe,
// which ranks cannot share. Throws what ProcessGroup throws.
ProcessGroup join_ranks(CommonOptions& common, const GroupOptions& options, const std::vector<std::string>& inputs);

// {"ranks","ranks_of_this_machine","hosts","threads_of_each"}, for manifests; after open_placement().
Json to_json(const ProcessGroup& group);

}  // namespace craft
