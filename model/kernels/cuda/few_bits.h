// From weights in few bits (model/kernels/quantized_weight.h) to floats, for the GPU's kernels: bodies as in bodies.h, which
// tests run on the CPU. Values are those of the CPU's kernels, bit for bit: products and sums in float32, rounded once.
#pragma once

#include "model/kernels/cuda/bodies.h"

namespace craft::cuda {

// a b + c, rounded after the product too: the GPU's compiler would leave that out, as the one of the CPU's kernels does not.
CRAFT_BODY float product_then_sum(float a, float b, float c) {
#if defined(__CUDA_ARCH__)
    return __fadd_rn(__fmul_rn(a, b), c);
#else
    const float product = a * b;
    return product + c;
#endif
}

template <class T>
struct Int8Rows {
    const int8_t* codes = nullptr;  // [rows][width]
    const float* scales = nullptr;  // [rows]
    T* to = nullptr;                // [rows][stride], of which width are written
    int64_t rows = 0, width = 0, stride = 0;
};

template <int N, class T, class Block>
CRAFT_BODY void int8_row(const Int8Rows<T>& t, int64_t row, Block& block) {
    const int8_t* const codes = t.codes + row * t.width;
    const float scale = t.scales[row];
    for (int64_t i = block.thread() * N; i < t.width; i += block.threads() * N) {
        const Pack<int8_t, N> part = load<N>(codes, i);
        Pack<T, N> out;
        for (int j = 0; j < N; ++j) out.at[j] = static_cast<T>(static_cast<float>(part.at[j]) * scale);
        store<N>(t.to + row * t.stride, i, out);
    }
}

template <class T>
struct Nf4Rows {
    const uint8_t* codes = nullptr;  // two elements a byte, rows after each other
    const float* scales = nullptr;   // of each block; null with double quantisation
    const uint8_t* nested_codes = nullptr;
    const float *nested_scales = nullptr, *nested_map = nullptr;  // the map has 256
    T* to = nullptr;                                              // [rows][stride], of which width are written
    int64_t rows = 0, width = 0, stride = 0, block = 64, nested_block = 256;
    float offset = 0;
    float values[16] = {};  // of the codes
};

template <class T>
CRAFT_BODY float nf4_scale(const Nf4Rows<T>& t, int64_t block) {
    if (t.scales != nullptr) return t.scales[block];
    return product_then_sum(t.nested_map[t.nested_codes[block]], t.nested_scales[block / t.nested_block], t.offset);
}

// `values` [16]: t.values, where many threads can read different ones at once. With N > 1 a width is a multiple of N, so
// that no pack begins in half a byte or reaches into a second block (of 32 elements at least).
template <int N, class T, class Block>
CRAFT_BODY void nf4_row(const Nf4Rows<T>& t, const float* values, int64_t row, Block& block) {
    for (int64_t i = block.thread() * N; i < t.width; i += block.threads() * N) {
        const int64_t element = row * t.width + i;
        const float scale = nf4_scale(t, element / t.block);
        if constexpr (N == 1) {
            const int byte = t.codes[element / 2];
            t.to[row * t.stride + i] = static_cast<T>(values[element % 2 == 0 ? byte >> 4 : byte & 15] * scale);
        } else {
            const Pack<uint8_t, N / 2> bytes = load<N / 2>(t.codes, element / 2);
            Pack<T, N> out;
            for (int j = 0; j < N / 2; ++j) {
                out.at[2 * j] = static_cast<T>(values[bytes.at[j] >> 4] * scale);
                out.at[2 * j + 1] = static_cast<T>(values[bytes.at[j] & 15] * scale);
            }
            store<N>(t.to + row * t.stride, i, out);
        }
    }
}

}  // namespace craft::cuda
