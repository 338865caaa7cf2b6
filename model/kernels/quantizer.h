// From weights to few bits.
#pragma once

#include "model/kernels/quantized_weight.h"

namespace craft {

// Quantises `weight` [rows, columns] (float32, bfloat16 or float16 on the CPU, of any strides), a block of rows at a time.
// int8: code = round(value * 127 / largest magnitude of the row), as LLM.int8's row statistics.
// nf4: bitsandbytes' codes, bit for bit: blocks of 64, the nearest of the 16 values; with double quantisation the scales
// less their mean in blocks of 256, as codes of its 8-bit dynamic map. Throws Error on a weight that is not finite, naming
// `where`.
QuantizedWeight quantize(const at::Tensor& weight, Quantization kind, const std::string& where);

// bitsandbytes' 8-bit dynamic map: [256] float32, rising.
at::Tensor dynamic_map();

}  // namespace craft
