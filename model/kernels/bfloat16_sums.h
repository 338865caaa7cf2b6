// What becomes of 16 sums of a product of bfloat16 matrices. For the sources of such products alone.
#pragma once

#include <cstring>

#include "model/kernels/bfloat16_products.h"
#include "model/kernels/instruction_set.h"

#ifdef __x86_64__

CRAFT_INSTRUCTIONS("avx512f,avx512bw,avx512vl,avx512bf16")

namespace craft {

// Writes the sums of columns [column, column + 16) of a row, those that there are, as the task asks for.
inline void finish_bfloat16_sums(const Bfloat16Task& task, int64_t row, int64_t column, __m512 sums) {
    const int64_t left = task.columns - column;
    const __mmask16 mask = left >= 16 ? 0xffff : static_cast<__mmask16>((1U << left) - 1);
    if (task.factors != nullptr) sums = _mm512_mul_ps(sums, _mm512_set1_ps(task.factors[row]));
    const int64_t at = row * task.c_stride + column;
    if (task.c_is_float) {
        float* const to = static_cast<float*>(task.c) + at;
        if (task.add) sums = _mm512_add_ps(sums, _mm512_maskz_loadu_ps(mask, to));
        _mm512_mask_storeu_ps(to, mask, sums);
        return;
    }
    uint16_t* const to = static_cast<uint16_t*>(task.c) + at;
    if (task.add) {
        const __m512i held = _mm512_cvtepu16_epi32(_mm256_maskz_loadu_epi16(mask, to));
        sums = _mm512_add_ps(sums, _mm512_castsi512_ps(_mm512_slli_epi32(held, 16)));
    }
    const __m256bh rounded = _mm512_cvtneps_pbh(sums);
    __m256i bits;
    std::memcpy(&bits, &rounded, sizeof bits);
    _mm256_mask_storeu_epi16(to, mask, bits);
}

}  // namespace craft

CRAFT_INSTRUCTIONS_END

#endif
