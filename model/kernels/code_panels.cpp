#include "model/kernels/code_panels.h"

#include <ATen/Parallel.h>
#include <torch/types.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <stdexcept>

#include "model/kernels/bfloat16_products.h"
#include "model/kernels/cpu_kernels.h"
#include "model/kernels/instruction_set.h"

namespace craft {

namespace {

constexpr int64_t kBlock = 32, kGroup = 8;  // columns of a GGUF block, and of what is read at once

struct Q4Block {
    uint16_t scale, offset;
    const uint8_t* codes;  // 16 bytes: of columns 0 to 15 in the low halves, of 16 to 31 in the high ones
};

Q4Block block_at(const QuantizedWeight& weight, int64_t row, int64_t block) {
    const auto bytes = static_cast<int64_t>(info_of(weight.type).bytes);
    const uint8_t* const at = weight.codes.const_data_ptr<uint8_t>() + row * weight.columns / kBlock * bytes + block * bytes;
    Q4Block held{0, 0, at + bytes - kBlock / 2};
    std::memcpy(&held.scale, at, sizeof held.scale);
    if (weight.type == GgufType::q4_1) std::memcpy(&held.offset, at + 2, sizeof held.offset);
    return held;
}

template <class T>
std::shared_ptr<T> zeros(int64_t count) {
    return {new T[static_cast<size_t>(count)](), std::default_delete<T[]>()};
}

// Calls f(panel, feature in it, row) for each row, panels over the threads.
template <class F>
void for_each_row(int64_t rows, const F& f) {
    at::parallel_for(0, padded(rows) / kLanes, 1, [&](int64_t begin, int64_t end) {
        for (int64_t row = begin * kLanes; row < std::min(rows, end * kLanes); ++row) f(row / kLanes, row % kLanes, row);
    });
}

CodePanels pack_nibbles(const QuantizedWeight& weight) {
    const int64_t columns = weight.columns, blocks = columns / kBlock, all = padded(weight.rows);
    const auto codes = zeros<uint8_t>(all * columns / 2);
    const auto scales = zeros<uint16_t>(all * blocks), offsets = zeros<uint16_t>(all * blocks);
    for_each_row(weight.rows, [&](int64_t panel, int64_t feature, int64_t row) {
        for (int64_t b = 0; b < blocks; ++b) {
            const Q4Block block = block_at(weight, row, b);
            scales.get()[(panel * blocks + b) * kLanes + feature] = block.scale;
            offsets.get()[(panel * blocks + b) * kLanes + feature] = block.offset;
            for (int64_t i = 0; i < kBlock; ++i) {
                const int64_t group = (b * kBlock + i) / kGroup, place = i % kGroup;
                const auto code = static_cast<uint8_t>(block.codes[i % 16] >> (i < 16 ? 0 : 4) & 15);
                uint8_t* const word = codes.get() + ((panel * columns / kGroup + group) * kLanes + feature) * 4;
                // Pair place / 2 of the half: its byte, and the low or high nibble of that.
                word[place % 2 * 2 + place / 4] |= static_cast<uint8_t>(code << (place / 2 % 2 * 4));
            }
        }
    });
    CodePanels panels{weight.rows, columns, /*is_nibbles=*/true, codes, weight.type == GgufType::q4_0, scales, {}, {}};
    if (weight.type == GgufType::q4_1) panels.offsets = offsets;
    return panels;
}

CodePanels pack_bytes(const QuantizedWeight& weight) {
    const int64_t columns = weight.columns, all = padded(weight.rows);
    const auto codes = zeros<uint8_t>(all * columns);
    const auto scales = zeros<float>(all);
    const auto* const from = reinterpret_cast<const uint8_t*>(weight.codes.const_data_ptr<int8_t>());
    std::memcpy(scales.get(), weight.scales.const_data_ptr<float>(), static_cast<size_t>(weight.rows) * sizeof(float));
    for_each_row(weight.rows, [&](int64_t panel, int64_t feature, int64_t row) {
        for (int64_t i = 0; i < columns; i += 2)
            std::memcpy(codes.get() + panel * kLanes * columns + i * kLanes + feature * 2, from + row * columns + i, 2);
    });
    return {weight.rows, columns, /*is_nibbles=*/false, codes, false, {}, {}, scales};
}

bool scales_are_finite(const QuantizedWeight& weight) {
    for (int64_t row = 0; row < weight.rows; ++row)
        for (int64_t b = 0; b < weight.columns / kBlock; ++b) {
            const Q4Block block = block_at(weight, row, b);
            if (!std::isfinite(half_to_float(block.scale)) || !std::isfinite(half_to_float(block.offset))) return false;
        }
    return true;
}

}  // namespace

bool packs_codes(const QuantizedWeight& weight) {
    if (!has_bfloat16_products() || !weight.codes.is_cpu()) return false;
    if (weight.kind == Quantization::int8) return weight.columns % kGroup == 0;
    const bool is_q4 = weight.type == GgufType::q4_0 || weight.type == GgufType::q4_1;
    return weight.kind == Quantization::blocks && is_q4 && scales_are_finite(weight);
}

CodePanels pack_codes(const QuantizedWeight& weight) {
    return weight.kind == Quantization::int8 ? pack_bytes(weight) : pack_nibbles(weight);
}

std::vector<float> block_sums(const std::vector<uint16_t>& x, int64_t m, int64_t columns) {
    const int64_t blocks = columns / kBlock;
    std::vector<float> sums(static_cast<size_t>(m * blocks));
    at::parallel_for(0, m * blocks, 256, [&](int64_t begin, int64_t end) {
        for (int64_t b = begin; b < end; ++b) {
            float values[kBlock];
            cpu_kernels().bfloat16_values(x.data() + b * kBlock, kBlock, values);
            float parts[8] = {};  // so that an addition need not wait for the one before
            for (int64_t i = 0; i < kBlock; ++i) parts[i % 8] += values[i];
            for (const float part : parts) sums[static_cast<size_t>(b)] += part;
        }
    });
    return sums;
}

#ifdef __x86_64__

CRAFT_INSTRUCTIONS("avx512f,avx512bw,avx512vl,avx512bf16,f16c")

namespace {

struct Products {
    const uint16_t* x;
    const float* block_sums;
    const CodePanels* w;
    float* c;
    int64_t c_stride;
    bool add;
};

// 0 to 15, or -8 to 7, twice: of an index of 5 bits the highest, which belongs to the next code, does not count.
inline __m512i code_table(bool is_centred) {
    alignas(64) uint16_t table[32];
    for (int i = 0; i < 32; ++i) {
        const float value = static_cast<float>(i % 16 - (is_centred ? 8 : 0));
        uint32_t bits;
        std::memcpy(&bits, &value, sizeof bits);
        table[i] = static_cast<uint16_t>(bits >> 16);
    }
    return _mm512_load_si512(table);
}

inline __m512bh as_bfloat16(const __m512i& words) {
    __m512bh values;
    std::memcpy(&values, &words, sizeof values);
    return values;
}

struct Nibbles {
    __m512i table;
    explicit Nibbles(const CodePanels& w) : table(code_table(w.is_centred)) {}
    static int64_t block(const CodePanels&) { return kBlock; }
    static int64_t group_bytes() { return kLanes * kGroup / 2; }
    // Four pairs of columns of 16 features.
    void read(const uint8_t* codes, __m512bh* pairs) const {
        const __m512i words = _mm512_loadu_si512(codes);
        pairs[0] = as_bfloat16(_mm512_permutexvar_epi16(words, table));
        pairs[1] = as_bfloat16(_mm512_permutexvar_epi16(_mm512_srli_epi16(words, 4), table));
        pairs[2] = as_bfloat16(_mm512_permutexvar_epi16(_mm512_srli_epi16(words, 8), table));
        pairs[3] = as_bfloat16(_mm512_permutexvar_epi16(_mm512_srli_epi16(words, 12), table));
    }
    static __m512 scaled(const Products& p, int64_t panel, int64_t block, int64_t row, __m512 sums, __m512 total) {
        const int64_t blocks = p.w->columns / kBlock, at = (panel * blocks + block) * kLanes;
        const auto halves = [&](const uint16_t* from) {
            return _mm512_cvtph_ps(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(from + at)));
        };
        total = _mm512_fmadd_ps(halves(p.w->scales.get()), sums, total);
        if (p.w->offsets == nullptr) return total;
        return _mm512_fmadd_ps(halves(p.w->offsets.get()), _mm512_set1_ps(p.block_sums[row * blocks + block]), total);
    }
};

struct Bytes {
    explicit Bytes(const CodePanels&) {}
    static int64_t block(const CodePanels& w) { return w.columns; }
    static int64_t group_bytes() { return kLanes * kGroup; }
    void read(const uint8_t* codes, __m512bh* pairs) const {
        for (int64_t i = 0; i < 4; ++i) {
            const auto floats = [&](int64_t from) {
                const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(codes + 32 * i + from));
                return _mm512_cvtepi32_ps(_mm512_cvtepi8_epi32(bytes));
            };
            pairs[i] = _mm512_cvtne2ps_pbh(floats(16), floats(0));
        }
    }
    static __m512 scaled(const Products& p, int64_t panel, int64_t, int64_t, __m512 sums, __m512) {
        return _mm512_mul_ps(_mm512_loadu_ps(p.w->feature_scales.get() + panel * kLanes), sums);
    }
};

constexpr int64_t kAhead = 2048;  // bytes that the first rows ask for ahead, as in bfloat16_products.cpp

// M rows against P panels. Each sum is made in two halves, of every other pair of columns, so that additions wait less.
template <class Codes, int M, int P>
inline void code_block(const Products& p, const Codes& codes, int64_t row, int64_t panel) {
    const int64_t columns = p.w->columns, groups = Codes::block(*p.w) / kGroup, all = columns / kGroup;
    const uint8_t* const first = p.w->codes.get() + panel * all * Codes::group_bytes();
    const uint16_t* const x = p.x + row * columns;
    __m512 totals[M][P];
    for (auto& of_row : totals)
        for (auto& total : of_row) total = _mm512_setzero_ps();
    for (int64_t begin = 0; begin < all; begin += groups) {
        __m512 sums[2][M][P];
        for (auto& half : sums)
            for (auto& of_row : half)
                for (auto& sum : of_row) sum = _mm512_setzero_ps();
        for (int64_t g = begin; g < begin + groups; ++g) {
            __m512bh pairs[P][4];
            for (int q = 0; q < P; ++q) {
                const uint8_t* const from = first + (q * all + g) * Codes::group_bytes();
                codes.read(from, pairs[q]);
                if (row == 0)
                    for (int64_t line = 0; line < Codes::group_bytes(); line += 64) __builtin_prefetch(from + kAhead + line);
            }
            for (int64_t i = 0; i < 4; ++i)
                for (int m = 0; m < M; ++m) {
                    int32_t pair;
                    std::memcpy(&pair, x + m * columns + g * kGroup + 2 * i, sizeof pair);
                    const __m512bh both = as_bfloat16(_mm512_set1_epi32(pair));
                    for (int q = 0; q < P; ++q) sums[i % 2][m][q] = _mm512_dpbf16_ps(sums[i % 2][m][q], both, pairs[q][i]);
                }
        }
        for (int m = 0; m < M; ++m)
            for (int q = 0; q < P; ++q)
                totals[m][q] = Codes::scaled(p, panel + q, begin / groups, row + m,
                                             _mm512_add_ps(sums[0][m][q], sums[1][m][q]), totals[m][q]);
    }
    for (int m = 0; m < M; ++m)
        for (int q = 0; q < P; ++q) {
            const int64_t column = (panel + q) * kLanes, left = p.w->rows - column;
            const __mmask16 mask = left >= 16 ? 0xffff : static_cast<__mmask16>((1U << left) - 1);
            float* const to = p.c + (row + m) * p.c_stride + column;
            __m512 sums = totals[m][q];
            if (p.add) sums = _mm512_add_ps(sums, _mm512_maskz_loadu_ps(mask, to));
            _mm512_mask_storeu_ps(to, mask, sums);
        }
}

template <class Codes, int P>
inline void code_rows(const Products& p, const Codes& codes, int64_t m, int64_t panel) {
    int64_t row = 0;
    // Of many rows eight share what becomes of a code; registers then hold their sums for one panel.
    for (; row + 8 <= m; row += 8)
        for (int64_t q = 0; q < P; ++q) code_block<Codes, 8, 1>(p, codes, row, panel + q);
    for (; row + 4 <= m; row += 4) code_block<Codes, 4, P>(p, codes, row, panel);
    if (m - row >= 2) {
        code_block<Codes, 2, P>(p, codes, row, panel);
        row += 2;
    }
    if (row < m) code_block<Codes, 1, P>(p, codes, row, panel);
}

template <class Codes>
void multiply_codes(const Products& p, int64_t m, int64_t first_panel, int64_t last_panel) {
    const Codes codes(*p.w);
    int64_t panel = first_panel;
    for (; panel + 2 <= last_panel; panel += 2) code_rows<Codes, 2>(p, codes, m, panel);
    if (panel < last_panel) code_rows<Codes, 1>(p, codes, m, panel);
}

}  // namespace

CRAFT_INSTRUCTIONS_END

void code_product(const uint16_t* x, const float* sums, int64_t m, const CodePanels& w, float* c, int64_t c_stride,
                  bool add) {
    const Products p{x, sums, &w, c, c_stride, add};
    constexpr int64_t kPanels = 2;
    const int64_t panels = padded(w.rows) / kLanes;
    at::parallel_for(0, (panels + kPanels - 1) / kPanels, 1, [&](int64_t begin, int64_t end) {
        const int64_t last = std::min(panels, end * kPanels);
        if (w.is_nibbles)
            multiply_codes<Nibbles>(p, m, begin * kPanels, last);
        else
            multiply_codes<Bytes>(p, m, begin * kPanels, last);
    });
}

#else

void code_product(const uint16_t*, const float*, int64_t, const CodePanels&, float*, int64_t, bool) {
    throw std::logic_error("products of codes without has_bfloat16_products()");
}

#endif

}  // namespace craft
