// Attention of generation over pages of keys and values in bfloat16, with bfloat16 products and float32 sums.
#pragma once

#include <vector>

#include "model/kernels/cpu_kernels.h"

namespace craft {

// An AttentionTask whose blocks hold bfloat16: keys [head_dim / 2][16][2], pairs of dimensions of 16 positions, then values
// [head_dim / 16][8][16][2], pairs of positions of 16 dimensions; `block` counts floats, head_dim is a multiple of 16.
// After a row's last position, the first of a pair, the other value must be finite: it is read with weight 0. Queries and
// softmax weights are rounded on their way in. Only where has_bfloat16_products().
void attend_bfloat16(const AttentionTask& task, std::vector<float>& scratch);

}  // namespace craft
