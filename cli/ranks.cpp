#include "cli/ranks.h"

#include <ATen/Context.h>
#include <ATen/Parallel.h>

#include <algorithm>
#include <cstdlib>

#include "core/error.h"
#include "core/input_streams.h"
#include "core/machine.h"

namespace craft {

namespace {

// GPUs by local rank; a launcher may also show each rank its own alone.
void take_gpu(CommonOptions& common, int local_rank, int local_size) {
    if (common.device == "cpu" || !at::hasCUDA()) return;
    const auto gpus = static_cast<int>(at::getNumGPUs());
    if (common.device != "auto" && common.device != "cuda") {
        if (local_size > 1)
            throw UsageError("--device: expected cpu or cuda, got " + common.device + " with " + std::to_string(local_size) +
                             " ranks on this machine: each needs its own GPU");
        return;
    }
    if (gpus > 1 && local_rank >= gpus)
        throw UsageError("LOCAL_RANK: expected one below the number of GPUs here (" + std::to_string(gpus) + "), got " +
                         std::to_string(local_rank));
    common.device = "cuda:" + std::to_string(gpus > 1 ? local_rank : 0);
}

}  // namespace

ProcessGroup join_ranks(CommonOptions& common, const GroupOptions& options, const std::vector<std::string>& inputs) {
    const auto launch = launch_from([](const char* name) { return std::getenv(name); });
    if (!launch) return {};
    if (const auto stream = std::find_if(inputs.begin(), inputs.end(), is_stream); stream != inputs.end())
        throw UsageError(*stream + ": several ranks cannot share " + (*stream == "-" ? "stdin" : "a pipe") +
                         "; give a file");
    if (launch->rank != 0) {
        LogOptions log = log_options();
        log.quiet = true;
        log.source = "rank " + std::to_string(launch->rank);
        configure_log(log);
    }
    ProcessGroup group(*launch, options);
    group.guard([&] { take_gpu(common, group.local_rank(), group.local_size()); });
    if (common.threads == 0) common.threads = std::max<int64_t>(1, this_machine().cores / group.cores_shared_by());
    log_info("training in several ranks", {{"ranks", group.size()}, {"on_this_machine", group.local_size()}});
    return group;
}

Json to_json(const ProcessGroup& group) {
    return {{"ranks", group.size()},
            {"ranks_of_this_machine", group.local_size()},
            {"hosts", group.hosts()},
            {"threads_of_each", at::get_num_threads()}};
}

}  // namespace craft
