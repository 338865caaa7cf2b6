// Weights in few bits as folders hold them: what bitsandbytes and transformers write for NF4.
#pragma once

#include <cstdint>
#include <string>

#include "model/kernels/quantized_weight.h"
#include "model/weights/weight_files.h"

namespace craft {

// True if the folder holds the linear weight `name` in 4 bits.
bool has_nf4(const WeightFiles& files, const std::string& name);
// Checks the tensors of a weight [rows, columns] in 4 bits against each other before memory is taken; they count as known.
// Throws Error naming file and tensor.
void expect_nf4(WeightFiles& files, const std::string& name, int64_t rows, int64_t columns);
// Reads what expect_nf4 checked.
QuantizedWeight read_nf4(const WeightFiles& files, const std::string& name, const at::Device& device);

}  // namespace craft
