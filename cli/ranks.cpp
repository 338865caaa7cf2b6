#include "cli/ranks.h"

#include <ATen/Context.h>
#include <ATen/Parallel.h>

#include <algorithm>
#include <string>
#include <vector>

#include "core/error.h"
#include "core/input_streams.h"
#include "core/machine.h"
#include "core/output_place.h"

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

void take_part(CommonOptions& common, const ProcessGroup& group) {
    take_gpu(common, group.local_rank(), group.local_size());
    if (common.threads == 0) common.threads = std::max<int64_t>(1, this_machine().cores / group.cores_shared_by());
    log_info("running in several ranks", {{"ranks", group.size()}, {"on_this_machine", group.local_size()}});
}

std::vector<std::string> shared_files_of(const Option& option) {
    std::vector<std::string> files;
    const Json value = option.current();
    for (const Json& one : value.is_array() ? value : Json::array({value}))
        if (one.is_string() && !one.get_ref<const std::string&>().empty()) files.push_back(one.get<std::string>());
    return files;
}

void expect_shareable(const OptionTable& table) {
    for (const Option& option : table.options()) {
        const bool is_input = option.file == FileRole::input, is_output = option.file == FileRole::output;
        for (const std::string& file : is_input || is_output ? shared_files_of(option) : std::vector<std::string>()) {
            if (is_input && is_stream(file))
                throw UsageError(file + ": several ranks cannot share " + (file == "-" ? "stdin" : "a pipe") +
                                 "; give a file");
            if (is_output && is_written_directly(file))
                throw UsageError(file + ": several ranks cannot write to one stream; give " + option.shown_name() +
                                 " a file");
        }
    }
    if (const Option* batch = table.find("batch_folder"); batch != nullptr && !shared_files_of(*batch).empty())
        throw UsageError("--batch: requests are collected by one process; start the command without a launcher");
}

}  // namespace

void bind_ranks(OptionTable& table, CommonOptions& common) {
    const auto group = table.group("Several processes");
    table
        .add("parallel.timeout", common.group.timeout,
             "seconds that a rank waits in a collective for others that are alive but do not reach it")
        .min(1)
        .max(1e6)
        .not_identity();
    table
        .add("parallel.join_timeout", common.group.join_timeout,
             "seconds for all ranks to start, and then to reach each other")
        .min(1)
        .max(1e6)
        .not_identity();
}

void log_as_rank(const OptionTable& table) {
    if (table.find("parallel.timeout") == nullptr) return;
    const auto launch = launch_here();
    if (!launch || launch->rank == 0) return;
    LogOptions log = log_options();
    log.quiet = true;
    log.source = "rank " + std::to_string(launch->rank);
    configure_log(log);
}

int in_ranks(const OptionTable& table, CommonOptions& common, const std::function<void(ProcessGroup& group)>& work) {
    const auto launch = launch_here();
    if (launch) expect_shareable(table);
    ProcessGroup group = launch ? ProcessGroup(*launch, common.group) : ProcessGroup();
    group.guard([&] {
        if (launch) take_part(common, group);
        work(group);
        group.meet();  // whatever rank 0 still writes or finds wrong
    });
    group.leave();
    return 0;
}

Json to_json(const ProcessGroup& group) {
    return {{"ranks", group.size()},
            {"ranks_of_this_machine", group.local_size()},
            {"hosts", group.hosts()},
            {"threads_of_each", at::get_num_threads()}};
}

}  // namespace craft
