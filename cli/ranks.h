// The processes that a command runs in, as a launcher's variables say.
#pragma once

#include <functional>

#include "cli/common.h"
#include "train/parallel/process_group.h"

namespace craft {

// How long ranks wait for each other.
void bind_ranks(OptionTable& table, CommonOptions& common);
// Where `table` has their options and a launcher started this process as another rank than 0, it logs errors only, with its
// name, from here on: rank 0 says the rest for all. Throws UsageError for a launch that does not fit.
void log_as_rank(const OptionTable& table);
// Runs a command's work in all ranks of its launch (without a launcher the group has one) and returns its exit code, 0. Sets
// this rank's part of the machine in `common` before: its own GPU and, unless --threads is given, a share of the cores.
// What one rank throws ends all of them. Throws UsageError for a launch
// or a device that does not fit, and for what ranks cannot share: an input or output that is a stream, batch files. Throws
// what ProcessGroup and the work throw.
int in_ranks(const OptionTable& table, CommonOptions& common, const std::function<void(ProcessGroup& group)>& work);

// {"ranks","ranks_of_this_machine","hosts","threads_of_each"}, for manifests; after open_placement().
Json to_json(const ProcessGroup& group);

}  // namespace craft
