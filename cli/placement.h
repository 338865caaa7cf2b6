// Where tensors live: --device, --dtype and --threads, resolved on this machine.
#pragma once

#include <ATen/core/Tensor.h>

#include "cli/command.h"
#include "cli/common.h"
#include "model/kernels/quantized_weight.h"

namespace craft {

struct Placement {
    at::Device device = at::kCPU;
    at::ScalarType dtype = at::kFloat;
};

// Also sets the number of threads (of --threads 0 on a CPU: all cores that other programs leave). A GPU becomes this
// process's current one, and LibTorch's settings for it are made. Throws UsageError when CUDA is asked for and does not work
// here.
Placement open_placement(const CommonOptions& options);
// How many times as fast as in float32 this work is in bfloat16 on this processor, by the table that benchmarks/dtypes.sh
// made.
double bfloat16_speed(Work work);
// --dtype auto becomes what it stands for in such a command, so that it belongs to a run's identity: bfloat16 on CUDA, and
// on CPUs where the table says that it is faster. Warns of a type that was asked for and is slow here, with the factor.
void resolve_dtype(CommonOptions& options, Work work);
// For models whose work bears it: without --dtype, bfloat16 where the CPU has products of it (has_bfloat16_products()),
// which are several times as fast.
Placement in_bfloat16_where_fast(Placement place, const CommonOptions& options);
Json to_json(const Placement& place);  // {"device","dtype"}, for manifests

// --quantize, of every command that loads a decoder.
void bind_quantize(OptionTable& table, Quantization& quantize);

}  // namespace craft
