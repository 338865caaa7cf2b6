// Where tensors live: --device, --dtype and --threads, resolved on this machine.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <string>

#include "core/json.h"

namespace craft {

struct PlacementOptions {
    int64_t threads = 0;          // 0: all cores, but those that other programs keep busy
    std::string device = "auto";  // "auto" (cuda where one works, else cpu), "cpu", "cuda" or "cuda:N"
    std::string dtype = "auto";   // "auto" (bfloat16 on CUDA, float32 on CPU), "float32" or "bfloat16"
};

struct Placement {
    at::Device device = at::kCPU;
    at::ScalarType dtype = at::kFloat;
};

// Also sets the number of threads (of --threads 0 on a CPU: all cores that other programs leave). A GPU becomes this
// process's current one, and LibTorch's settings for it are made. Throws UsageError when CUDA is asked for and does not work
// here.
Placement open_placement(const PlacementOptions& options);
// For models whose work bears it: without --dtype, bfloat16 where the CPU has products of it (has_bfloat16_products()),
// which are several times as fast.
Placement in_bfloat16_where_fast(Placement place, const PlacementOptions& options);
Json to_json(const Placement& place);  // {"device","dtype"}, for manifests

}  // namespace craft
