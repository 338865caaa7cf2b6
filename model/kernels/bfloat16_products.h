// Products of bfloat16 matrices with float32 sums, on processors with AVX-512 BF16, by AMX where they have it
// (bfloat16_tiles.h).
#pragma once

#include <cstdint>

namespace craft {

bool processor_multiplies_bfloat16();
// Whether the functions below are used here: not at a lower level (vector_level()), nor where CRAFT_CPU_KERNELS names
// others.
bool has_bfloat16_products();

// `count` numbers to the nearest bfloat16, ties to even.
void round_bfloat16(const float* from, int64_t count, uint16_t* to);

// c [rows, columns] = a [rows, inner] b [inner, columns]; inner is even.
struct Bfloat16Task {
    const uint16_t* a = nullptr;  // [rows][a_stride]
    int64_t a_stride = 0;
    bool a_paired = false;             // element (i, j) at 2 (j / 2 a_stride + i) + j % 2 instead, as pair_rows makes it
    const uint16_t* panels = nullptr;  // of b, see pack_bfloat16
    int64_t rows = 0, inner = 0, columns = 0;
    int64_t panel_inner = 0;  // what the panels hold, where it is more than `inner`; 0: as much
    void* c = nullptr;        // [rows][c_stride]
    int64_t c_stride = 0;
    bool c_is_float = false;         // else bfloat16
    bool add = false;                // to what c holds
    const float* factors = nullptr;  // of each row's sums
};
void multiply_bfloat16(const Bfloat16Task& task);

// Rows [0, inner) and columns [0, columns) of b (element (i, j) at i stride + j, transposed at j stride + i) as panels
// [blocks of 16 columns][padded inner / 2][16][2], zero-padded; `padded` inner is the next even number.
void pack_bfloat16(const uint16_t* b, int64_t stride, bool transposed, int64_t inner, int64_t columns, uint16_t* panels);

// Rows [0, rows) of [rows][stride] by twos, [(rows + 1) / 2][columns][2], the last one beside zeros: left sides of products
// of the transpose.
void pair_rows(const uint16_t* a, int64_t stride, int64_t rows, int64_t columns, uint16_t* to);

}  // namespace craft
