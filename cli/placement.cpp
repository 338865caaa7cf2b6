#include "cli/placement.h"

#include <ATen/Context.h>

#include <algorithm>
#include <array>
#include <cstdio>

#include "cli/option_groups.h"
#include "core/log.h"
#include "model/kernels/bfloat16_products.h"
#include "model/kernels/bfloat16_tiles.h"
#include "model/kernels/cpu_kernels.h"

namespace craft {

namespace {

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

void bind_quantize(OptionTable& table, Quantization& quantize) {
    const auto group = table.group(kModelGroup);
    table
        .add_enum("quantize", quantize,
                  {{"none", Quantization::none},
                   {"int8", Quantization::int8},
                   {"nf4", Quantization::nf4},
                   {"blocks", Quantization::blocks}},
                  "quantise the base's linear weights; blocks: as in the GGUF file; none: NF4 if the folder is stored so, "
                  "else unquantised")
        .flag("--quantize");
}

}  // namespace craft
