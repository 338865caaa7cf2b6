// What --dtype auto stands for in a command, and --quantize.
#pragma once

#include "cli/command.h"
#include "cli/common.h"
#include "model/kernels/placement.h"
#include "model/kernels/quantized_weight.h"

namespace craft {

// How many times as fast as in float32 this work is in bfloat16 on this processor, by the table that benchmarks/dtypes.sh
// made.
double bfloat16_speed(Work work);
// --dtype auto becomes what it stands for in such a command, so that it belongs to a run's identity: bfloat16 on CUDA, and
// on CPUs where the table says that it is faster. Warns of a type that was asked for and is slow here, with the factor.
void resolve_dtype(CommonOptions& options, Work work);

// --quantize, of every command that loads a decoder.
void bind_quantize(OptionTable& table, Quantization& quantize);

}  // namespace craft
