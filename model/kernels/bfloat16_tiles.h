// Products of bfloat16 matrices by AMX, whose registers hold tiles of 16 rows of 64 bytes. Intel's processors that have it
// take their time over AVX-512 BF16's instructions.
#pragma once

#include "model/kernels/bfloat16_products.h"

namespace craft {

// Whether the processor has such tiles and the system lets us use them; not where CRAFT_CPU_KERNELS names other kernels.
bool has_bfloat16_tiles();
// Does what multiply_bfloat16() says. Each sum is that of its stretches of 32 products, however many rows there are.
void multiply_by_tiles(const Bfloat16Task& task);

}  // namespace craft
