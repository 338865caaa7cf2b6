// Rows of token ids as the input of a stack of blocks. Inside model/ only.
#pragma once

#include <vector>

#include "model/encoder/block_stack.h"
#include "model/encoder/encoder.h"

namespace craft {

// They must have passed check_row.
StackInput encoder_input(const EncoderConfig& config, const std::vector<const EncoderRow*>& rows, const at::Device& device);

// Numbers of the rows, those of equal `sizes` one after the other.
std::vector<size_t> by_size(const std::vector<std::pair<int64_t, int64_t>>& sizes);

}  // namespace craft
