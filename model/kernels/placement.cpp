#include "model/kernels/placement.h"

#include <ATen/Context.h>
#include <ATen/Parallel.h>
#include <c10/core/impl/VirtualGuardImpl.h>

#include <cmath>
#include <cstdlib>

#include "core/control_group.h"
#include "core/error.h"
#include "model/kernels/bfloat16_products.h"
#include "model/kernels/cpu_kernels.h"
#include "model/kernels/threads.h"

namespace craft {

namespace {

// What this process says to LibTorch before it uses a GPU for the first time.
void open_gpu(const at::Device& device) {
    // Micro-batches of ever other sizes leave gaps behind; with segments that grow, the allocator fills them. The user's own
    // setting stays.
    ::setenv("PYTORCH_ALLOC_CONF", "expandable_segments:True", /*replace=*/0);
    // cuDNN recompiles attention for each shape, and in generation each step has another one.
    at::globalContext().setSDPUseCuDNN(false);
    // What asks for no device by number, be it a library, then takes no memory of another rank's GPU.
    c10::impl::VirtualGuardImpl(at::kCUDA).setDevice(device);
}

// LibTorch counts processors and knows nothing of a control group's quota of their time.
void set_threads(int64_t asked) {
    const double quota = this_control_group().processors;
    const int64_t most = quota > 0 ? static_cast<int64_t>(std::ceil(quota)) : at::get_num_threads();
    if (asked > 0 || at::get_num_threads() > most) at::set_num_threads(static_cast<int>(asked > 0 ? asked : most));
}

}  // namespace

Placement open_placement(const PlacementOptions& options) {
    forced_cpu_kernels();  // a wrong name is told before any work
    set_threads(options.threads);
    Placement place;
    const bool cuda = at::hasCUDA();
    if (options.device != "auto") place.device = at::Device(options.device);
    if (options.device == "auto" && cuda) place.device = at::kCUDA;
    if (place.device.is_cuda() && !cuda)
        throw UsageError("--device: expected cpu, got " + options.device +
                         " (CUDA does not work here: no GPU, or a build without CRAFT_CUDA)");
    if (place.device.has_index() && place.device.index() >= static_cast<int>(at::getNumGPUs()))
        throw UsageError("--device: expected one of the " + std::to_string(at::getNumGPUs()) +
                         " GPUs, counted from 0, got " + options.device);
    if (place.device.is_cuda()) {
        if (!place.device.has_index()) place.device = at::Device(at::kCUDA, 0);
        open_gpu(place.device);
    }
    leave_cores_to_others(place.device.is_cpu() && options.threads == 0);
    if (options.dtype == "bfloat16" || (options.dtype == "auto" && place.device.is_cuda())) place.dtype = at::kBFloat16;
    return place;
}

Placement in_bfloat16_where_fast(Placement place, const PlacementOptions& options) {
    if (options.dtype == "auto" && place.device.is_cpu() && has_bfloat16_products()) place.dtype = at::kBFloat16;
    return place;
}

Json to_json(const Placement& place) {
    return {{"device", place.device.str()}, {"dtype", place.dtype == at::kBFloat16 ? "bfloat16" : "float32"}};
}

}  // namespace craft
