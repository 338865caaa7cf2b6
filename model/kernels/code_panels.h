// Weights in few bits laid out for products with activations in bfloat16: a GGUF file's 4-bit blocks (Q4_0, Q4_1) and int8.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "model/kernels/quantized_weight.h"

namespace craft {

// Panels of 16 output features. A value is what its code stands for times the scale of its block, plus the block's offset;
// codes become bfloat16 exactly.
struct CodePanels {
    int64_t rows = 0, columns = 0;
    bool is_nibbles = false;  // else int8
    // Nibbles: [panel][columns / 8][16 features][4 bytes], of which the low half holds the even columns' codes, the high
    // half the odd ones'. int8: [panel][columns / 2][16 features][2].
    std::shared_ptr<const uint8_t> codes;
    bool is_centred = false;                      // nibbles: a code stands for itself less 8
    std::shared_ptr<const uint16_t> scales;       // nibbles: float16 [panel][columns / 32][16]
    std::shared_ptr<const uint16_t> offsets;      // likewise; null: none
    std::shared_ptr<const float> feature_scales;  // int8: [padded rows]
};

// True where pack_codes() takes this weight and the processor multiplies bfloat16: int8 of whole groups of 8 columns, Q4_0
// and Q4_1 with finite scales.
bool packs_codes(const QuantizedWeight& weight);
CodePanels pack_codes(const QuantizedWeight& weight);

// c [m, w.rows] (+)= x W^T, over the threads, for x [m, columns] bfloat16, whose sums of 32 columns are `block_sums` [m,
// columns / 32] (read only where w has offsets). Rows of c are c_stride apart. A row's bits do not depend on the others.
void code_product(const uint16_t* x, const float* block_sums, int64_t m, const CodePanels& w, float* c, int64_t c_stride,
                  bool add);
std::vector<float> block_sums(const std::vector<uint16_t>& x, int64_t m, int64_t columns);

}  // namespace craft
