#include "cli/placement.h"

#include <ATen/Context.h>
#include <ATen/Parallel.h>
#include <c10/core/impl/VirtualGuardImpl.h>
#include <torch/types.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "cli/option_groups.h"
#include "core/control_group.h"
#include "core/error.h"
#include "core/log.h"
#include "model/kernels/bfloat16_products.h"
#include "model/kernels/bfloat16_tiles.h"
#include "model/kernels/cpu_kernels.h"
#include "model/kernels/threads.h"

namespace craft {

namespace {

// What this process says to LibTorch before it uses a GPU for the first time.
void open_gpu(const at::Device& device) {
    // Micro-batches of ever other sizes leave gaps behind; with segments that grow, the allocator fills them. The user's own
    // setting stays.
    ::setenv("PYTORCH_ALLOC_CONF", "expandable_segments:True", /*replace=*/0);
    // cuDNN compiles attention anew for each shape, and in generation each step has another one.
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

// Times as fast as float32, two threads, SmolLM2-135M-Instruct (docs/performance/processors.md has the machines and the
// figures). A little faster is not worth the digits.
struct Bfloat16Speed {
    const char* kernels;
    double training, generation;
};
constexpr Bfloat16Speed kSpeeds[] = {{"amx", 1.9, 1.8},  {"avx512_bf16", 2.0, 1.7}, {"avx512", .6, 1.0},
                                     {"avx2", 1.1, 1.0}, {"generic", 1.0, 1.0},     {"neon", 1.0, 1.0}};
constexpr double kWorthIt = 1.1, kWorthAWarning = 1.25;

const Bfloat16Speed& speed_here() {
    const std::string kernels = has_bfloat16_tiles() ? "amx" : has_bfloat16_products() ? "avx512_bf16" : cpu_kernels().name;
    return *std::find_if(std::begin(kSpeeds), std::end(kSpeeds),
                         [&](const Bfloat16Speed& speed) { return speed.kernels == kernels; });
}

bool is_on_gpu(const CommonOptions& options) {
    return options.device == "auto" ? at::hasCUDA() : options.device.starts_with("cuda");
}

}  // namespace

double bfloat16_speed(Work work) {
    return work == Work::training ? speed_here().training : speed_here().generation;
}

void resolve_dtype(CommonOptions& options, Work work) {
    const bool on_gpu = is_on_gpu(options);
    if (options.dtype == "auto") {
        options.dtype = on_gpu || bfloat16_speed(work) >= kWorthIt ? "bfloat16" : "float32";
        return;
    }
    if (on_gpu) return;
    const double speed = bfloat16_speed(work);
    const double slower = options.dtype == "bfloat16" ? 1 / speed : speed;
    if (slower < kWorthAWarning) return;
    std::array<char, 16> times{};
    std::snprintf(times.data(), times.size(), "%.1f", slower);
    log_warning("--dtype " + options.dtype + ": some " + times.data() +
                " times as slow on this processor as the other type, which --dtype auto takes");
}

Placement open_placement(const CommonOptions& options) {
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

Placement in_bfloat16_where_fast(Placement place, const CommonOptions& options) {
    if (options.dtype == "auto" && place.device.is_cpu() && has_bfloat16_products()) place.dtype = at::kBFloat16;
    return place;
}

Json to_json(const Placement& place) {
    return {{"device", place.device.str()}, {"dtype", place.dtype == at::kBFloat16 ? "bfloat16" : "float32"}};
}

void bind_quantize(OptionTable& table, Quantization& quantize) {
    const auto group = table.group(kModelGroup);
    table
        .add_enum("quantize", quantize,
                  {{"none", Quantization::none},
                   {"int8", Quantization::int8},
                   {"nf4", Quantization::nf4},
                   {"blocks", Quantization::blocks}},
                  "hold the base's linear weights in few bits; blocks: a GGUF file's own; none: NF4 as a folder has it, "
                  "else values")
        .flag("--quantize");
}

}  // namespace craft
