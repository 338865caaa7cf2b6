// Weights in few bits: int8 with a scale for each row, bitsandbytes' NF4 with a scale for each block, and a GGUF file's own
// blocks.
#pragma once

#include <ATen/core/Tensor.h>

#include <array>
#include <cstdint>
#include <string>

#include "model/files/gguf_blocks.h"

namespace craft {

enum class Quantization { none, int8, nf4, blocks };
const char* name_of(Quantization kind);  // "none" ...

// One weight [rows, columns].
//
// none  values as they are: what a folder in 4 bits left out.
// int8  codes int8 [rows, columns]; the value is code * scale of its row, scale = largest magnitude / 127.
// nf4   codes uint8 [ceil(rows * columns / 2)]: element i, rows after each other, in byte i / 2, even ones in the high half;
//       the value is kNf4Values[code] * scale of its block of `block` elements, scale = largest magnitude. With double
//       quantisation block i's scale is nested_map[scales[i]] * nested_scales[i / nested_block] + offset.
// blocks  codes uint8 [rows, bytes of a row]: blocks of `type`, as the file has them; the values are dequantise()'s. On the
//       CPU alone.
struct QuantizedWeight {
    Quantization kind = Quantization::none;
    int64_t rows = 0, columns = 0;
    at::Tensor codes;   // none: [rows, columns] floating
    at::Tensor scales;  // int8: [rows] float32; nf4: [blocks] float32, or uint8 with double quantisation
    int64_t block = 64;
    at::Tensor nested_scales;  // [ceil(blocks / nested_block)] float32; undefined without double quantisation
    at::Tensor nested_map;     // [256] float32
    float offset = 0;
    int64_t nested_block = 256;
    GgufType type = GgufType::f32;  // blocks

    bool is_nested() const { return nested_scales.defined(); }
    int64_t bytes() const;
    // nf4: [blocks] float32, double quantisation undone.
    at::Tensor block_scales() const;
    // Writes the values into `to` [rows, columns], floating, on the codes' device: sums and products in float32, then
    // rounded. By the kernels of cpu_kernels.h on the CPU, by those of cuda/ on a GPU, else with LibTorch's operations.
    void write_values(const at::Tensor& to) const;
    at::Tensor values(at::ScalarType dtype) const;
    // The same with LibTorch's operations, wherever the codes are: what the kernels are held against.
    at::Tensor composed_values(at::ScalarType dtype) const;
    QuantizedWeight to(const at::Device& device) const;
};

// QLoRA's 4-bit normal floats: bitsandbytes' constants.
extern const std::array<float, 16> kNf4Values;

// Reads rows of a weight on the CPU as float32.
class WeightRows {
public:
    WeightRows() = default;
    // float32, bfloat16, int8, nf4 or blocks on the CPU, contiguous. Throws Error otherwise.
    explicit WeightRows(const QuantizedWeight& weight);
    // Columns [first, first + count) of a row.
    void read(int64_t row, int64_t first, int64_t count, float* out) const;
    int64_t rows() const { return rows_; }
    int64_t columns() const { return columns_; }

private:
    void block_scales(int64_t first, int64_t count, float* out) const;
    void read_blocks(int64_t row, int64_t first, int64_t count, float* out) const;

    at::Tensor kept_[4];  // what the pointers point into
    Quantization kind_ = Quantization::none;
    int64_t rows_ = 0, columns_ = 0, block_ = 64, nested_block_ = 256;
    const float* floats_ = nullptr;
    const uint16_t* bfloats_ = nullptr;
    const uint8_t* bytes_ = nullptr;         // codes
    const float* scales_ = nullptr;          // int8, nf4
    const uint8_t* nested_codes_ = nullptr;  // nf4 with double quantisation, else null
    const float *nested_scales_ = nullptr, *nested_map_ = nullptr;
    float offset_ = 0;
    GgufType type_ = GgufType::f32;
    int64_t row_bytes_ = 0;  // blocks
};

}  // namespace craft
