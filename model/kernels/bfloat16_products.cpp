#include "model/kernels/bfloat16_products.h"

#include <algorithm>
#include <cstring>
#include <stdexcept>

#include "model/kernels/bfloat16_sums.h"
#include "model/kernels/bfloat16_tiles.h"
#include "model/kernels/cpu_kernels.h"
#include "model/kernels/instruction_set.h"

namespace craft {

#ifdef __x86_64__

bool processor_multiplies_bfloat16() {
    static const bool does = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                             __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bf16");
    return does;
}

bool has_bfloat16_products() {
    static const bool has =
        vector_level() == VectorLevel::avx512 && forced_cpu_kernels() != "avx512" && processor_multiplies_bfloat16();
    return has;
}

CRAFT_INSTRUCTIONS("avx512f,avx512bw,avx512vl,avx512bf16")

namespace {

constexpr int kRows = 12;
constexpr int64_t kPanels = 2;
// Panels often come from memory when the first rows pass over them, and the processor's own prefetching ends with each page
// of memory: this many elements (4 KB) are asked for ahead.
constexpr int64_t kAhead = 2048;

// How a block is made: of left rows in pairs; with panels that may come from memory.
struct Plain {
    static constexpr bool paired = false, reads_ahead = false;
};
struct Paired {
    static constexpr bool paired = true, reads_ahead = false;
};
struct ReadsAhead {
    static constexpr bool paired = false, reads_ahead = true;
};

template <int M, int P, class Way>
inline void block(const Bfloat16Task& task, int64_t row, int64_t column) {
    const int64_t pairs = task.inner / 2, stride = 2 * (task.panel_inner == 0 ? pairs : (task.panel_inner + 1) / 2);
    const int64_t next_row = Way::paired ? 2 : task.a_stride, next_pair = Way::paired ? 2 * task.a_stride : 2;
    const uint16_t* const a = task.a + row * next_row;
    const uint16_t* const panels = task.panels + column * stride;
    __m512 sums[M][P];
    for (auto& of_row : sums)
        for (auto& sum : of_row) sum = _mm512_setzero_ps();
    for (int64_t i = 0; i < pairs; ++i) {
        __m512bh b[P];
        for (int64_t p = 0; p < P; ++p) {
            const uint16_t* const from = panels + p * 16 * stride + i * 32;
            std::memcpy(&b[p], from, sizeof b[p]);
            if (Way::reads_ahead) __builtin_prefetch(from + kAhead);
        }
        for (int m = 0; m < M; ++m) {
            int32_t pair;
            std::memcpy(&pair, a + m * next_row + i * next_pair, sizeof pair);
            const __m512i both = _mm512_set1_epi32(pair);
            __m512bh x;
            std::memcpy(&x, &both, sizeof x);
            for (int p = 0; p < P; ++p) sums[m][p] = _mm512_dpbf16_ps(sums[m][p], x, b[p]);
        }
    }
    __m512 done[M][P];  // so that the sums stay in registers also where clang leaves the loops below as loops
    for (int m = 0; m < M; ++m)
        for (int p = 0; p < P; ++p) done[m][p] = sums[m][p];
    for (int m = 0; m < M; ++m)
        for (int64_t p = 0; p < P; ++p)
            if (column + 16 * p < task.columns) finish_bfloat16_sums(task, row + m, column + 16 * p, done[m][p]);
}

template <int M, class Way>
inline void block_rows(const Bfloat16Task& task, int64_t row) {
    int64_t column = 0;
    for (; column + 16 * (kPanels - 1) < task.columns; column += 16 * kPanels) block<M, kPanels, Way>(task, row, column);
    for (; column < task.columns; column += 16) block<M, 1, Way>(task, row, column);
}

template <int M, class Way>
inline void rest(const Bfloat16Task& task, int64_t row) {
    if constexpr (M > 0) {
        if (task.rows - row == M)
            block_rows<M, Way>(task, row);
        else
            rest<M - 1, Way>(task, row);
    }
}

template <class Way>
inline void rows_from(const Bfloat16Task& task, int64_t row) {
    for (; row + kRows <= task.rows; row += kRows) block_rows<kRows, Way>(task, row);
    rest<kRows - 1, Way>(task, row);
}

// 16 words of 16 rows -> their transpose.
inline void transpose_words(const uint16_t* from, int64_t stride, uint16_t* to) {
    __m512i rows[16];
    for (int i = 0; i < 16; ++i) std::memcpy(&rows[i], from + i * stride, sizeof rows[i]);
    const __m512i lanes = _mm512_set_epi32(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
    for (int s = 1; s < 16; s *= 2) {
        const __mmask16 upper = _mm512_test_epi32_mask(lanes, _mm512_set1_epi32(s));
        const __m512i shift = _mm512_set1_epi32(s);
        const __m512i first = _mm512_mask_add_epi32(lanes, upper, _mm512_sub_epi32(lanes, shift), _mm512_set1_epi32(16));
        const __m512i second = _mm512_mask_add_epi32(_mm512_add_epi32(lanes, shift), upper, lanes, _mm512_set1_epi32(16));
        for (int i = 0; i < 16; ++i) {
            if ((i & s) != 0) continue;
            const __m512i a = rows[i], b = rows[i + s];
            rows[i] = _mm512_permutex2var_epi32(a, first, b);
            rows[i + s] = _mm512_permutex2var_epi32(a, second, b);
        }
    }
    for (int64_t i = 0; i < 16; ++i) std::memcpy(to + 32 * i, &rows[i], sizeof rows[i]);
}

inline void interleave(const uint16_t* even, const uint16_t* odd, uint16_t* to) {
    __m256i a, b;
    std::memcpy(&a, even, sizeof a);
    std::memcpy(&b, odd, sizeof b);
    const __m512i words = _mm512_or_si512(_mm512_cvtepu16_epi32(a), _mm512_slli_epi32(_mm512_cvtepu16_epi32(b), 16));
    std::memcpy(to, &words, sizeof words);
}

}  // namespace

void round_bfloat16(const float* from, int64_t count, uint16_t* to) {
    for (int64_t i = 0; i < count; i += 16) {
        const int64_t left = count - i;
        const __mmask16 mask = left >= 16 ? 0xffff : static_cast<__mmask16>((1U << left) - 1);
        const __m256bh rounded = _mm512_cvtneps_pbh(_mm512_maskz_loadu_ps(mask, from + i));
        __m256i bits;
        std::memcpy(&bits, &rounded, sizeof bits);
        _mm256_mask_storeu_epi16(to + i, mask, bits);
    }
}

void multiply_bfloat16(const Bfloat16Task& task) {
    if (has_bfloat16_tiles()) return multiply_by_tiles(task);
    if (task.a_paired) return rows_from<Paired>(task, 0);
    if (task.rows < kRows) return rest<kRows - 1, ReadsAhead>(task, 0);
    block_rows<kRows, ReadsAhead>(task, 0);
    rows_from<Plain>(task, kRows);
}

void pack_bfloat16(const uint16_t* b, int64_t stride, bool transposed, int64_t inner, int64_t columns, uint16_t* panels) {
    const int64_t pairs = (inner + 1) / 2;
    for (int64_t column = 0; column < columns; column += 16, panels += pairs * 32) {
        const int64_t count = std::min<int64_t>(16, columns - column);
        int64_t done = 0;  // pairs
        if (count == 16 && transposed)
            for (; 2 * done + 32 <= inner; done += 16)
                transpose_words(b + column * stride + 2 * done, stride, panels + done * 32);
        if (count == 16 && !transposed)
            for (; 2 * done + 2 <= inner; ++done) {
                const uint16_t* const from = b + 2 * done * stride + column;
                interleave(from, from + stride, panels + done * 32);
            }
        for (int64_t i = 2 * done; i < 2 * pairs; ++i)
            for (int64_t j = 0; j < 16; ++j)
                panels[(i / 2 * 16 + j) * 2 + i % 2] =
                    j < count && i < inner ? b[transposed ? (column + j) * stride + i : i * stride + column + j] : 0;
    }
}

void pair_rows(const uint16_t* a, int64_t stride, int64_t rows, int64_t columns, uint16_t* to) {
    for (int64_t row = 0; row < rows; row += 2, to += 2 * columns) {
        const uint16_t *const even = a + row * stride, *const odd = even + stride;
        int64_t j = 0;
        if (row + 1 < rows)
            for (; j + 16 <= columns; j += 16) interleave(even + j, odd + j, to + 2 * j);
        for (; j < columns; ++j) {
            to[2 * j] = even[j];
            to[2 * j + 1] = row + 1 < rows ? odd[j] : 0;
        }
    }
}

CRAFT_INSTRUCTIONS_END

#else

namespace {

[[noreturn]] void no_kernels() {
    throw std::logic_error("bfloat16 products without has_bfloat16_products()");
}

}  // namespace

bool processor_multiplies_bfloat16() {
    return false;
}
bool has_bfloat16_products() {
    return false;
}
void round_bfloat16(const float*, int64_t, uint16_t*) {
    no_kernels();
}
void multiply_bfloat16(const Bfloat16Task&) {
    no_kernels();
}
void pack_bfloat16(const uint16_t*, int64_t, bool, int64_t, int64_t, uint16_t*) {
    no_kernels();
}
void pair_rows(const uint16_t*, int64_t, int64_t, int64_t, uint16_t*) {
    no_kernels();
}

#endif

}  // namespace craft
