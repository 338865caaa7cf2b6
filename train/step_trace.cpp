#include "train/step_trace.h"

#include <torch/csrc/autograd/profiler_kineto.h>

#include <algorithm>
#include <cstdlib>
#include <set>

#include "core/error.h"
#include "core/log.h"

namespace craft {

namespace profiler = torch::autograd::profiler;

StepTrace::StepTrace(std::filesystem::path file, int64_t steps, bool cuda)
    : file_(std::move(file)), first_(std::min<int64_t>(2, steps)), last_(std::min<int64_t>(4, steps)), cuda_(cuda) {}

StepTrace::~StepTrace() {
    if (recording_) profiler::disableProfiler();
}

void StepTrace::before_step() {
    if (file_.empty() || ++step_ != first_) return;
    using torch::profiler::impl::ActivityType;
    const torch::profiler::impl::ProfilerConfig config(torch::profiler::impl::ProfilerState::KINETO,
                                                       /*report_input_shapes=*/true, /*profile_memory=*/true);
    std::set<ActivityType> activities = {ActivityType::CPU};
    if (cuda_) activities.insert(ActivityType::CUDA);
    ::setenv("KINETO_LOG_LEVEL", "99", /*overwrite=*/0);  // without a GPU it complains of none
    profiler::prepareProfiler(config, activities);
    profiler::enableProfiler(config, activities);
    recording_ = true;
}

void StepTrace::after_step() {
    if (!recording_ || step_ != last_) return;
    recording_ = false;
    std::filesystem::remove(file_);
    profiler::disableProfiler()->save(file_.string());
    if (!std::filesystem::exists(file_)) throw Error(file_.string(), "a place to write the trace to", "none");
    log_info("steps traced", {{"first", first_}, {"last", last_}, {"file", file_.string()}});
}

}  // namespace craft
