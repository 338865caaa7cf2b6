// Matrix products for training on the CPU by our own kernels, which use AVX-512 on every processor that has it (LibTorch's
// library has float32 ones for some makers' only), and AVX2 elsewhere (where LibTorch has none for bfloat16). Where they do
// not apply all is LibTorch's.
#pragma once

#include <ATen/Parallel.h>
#include <ATen/core/Tensor.h>

#include <algorithm>
#include <cstdint>

namespace craft {

// A matrix in memory: element (i, j) at i stride + j, transposed at j stride + i.
struct MatrixView {
    const void* data = nullptr;
    bool is_bfloat16 = false;  // else float32
    int64_t stride = 0;
    bool transposed = false;
};
// Rows [row, row + inner) and columns [column, column + columns) of b as panels of 16 columns, [block][inner][16] float32.
void pack_block(const MatrixView& b, int64_t row, int64_t inner, int64_t column, int64_t columns, float* panels);

// How a result [rows, columns] is cut into blocks, of which threads are dealt equal numbers, neighbours together.
struct BlockGrid {
    int64_t height = 0, width = 0;  // of a block: multiples of the kernels' 12 rows and 32 columns
    int64_t row_blocks = 0, column_blocks = 0;
};
// The grid whose busiest thread has the least to do, with blocks of at most this many columns; `packed` rows of a block
// would take as long as packing its columns does.
BlockGrid even_grid(int64_t rows, int64_t columns, int64_t max_width, int64_t packed, int64_t threads);

// Whether our kernels compute a b, where a's rows are contiguous.
bool product_is_ours(const at::Tensor& a, const at::Tensor& b);
// a [m, k] b [k, n] -> [m, n], which may be the transpose of a contiguous tensor. No autograd. The order of an element's
// additions by our kernels depends on k alone: neither on the other rows nor on the number of threads.
at::Tensor product(const at::Tensor& a, const at::Tensor& b);
// c [m, n] += a b; c's rows may lie apart (a view of columns).
void add_product(const at::Tensor& c, const at::Tensor& a, const at::Tensor& b);

}  // namespace craft
