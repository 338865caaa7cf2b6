#include "model/kernels/bfloat16_pages.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <stdexcept>
#include <type_traits>

#include "model/kernels/bfloat16_products.h"
#include "model/kernels/instruction_set.h"

namespace craft {

#ifdef __x86_64__

CRAFT_INSTRUCTIONS("avx512f,avx512bw,avx512vl,avx512bf16")

namespace {

// Pages and how many of their positions count.
struct PageRange {
    const Page* pages;
    int64_t block, positions;
    const uint16_t* keys(int64_t page) const { return reinterpret_cast<const uint16_t*>(pages[page] + block); }
    // Those of a page to ask for ahead, since pages lie apart in memory; of the last one after it.
    const uint16_t* keys_ahead(int64_t page) const { return keys(std::min(page, (positions - 1) / kLanes)); }
};

inline __m512bh pair_of(const uint16_t* from) {
    int32_t pair;
    std::memcpy(&pair, from, sizeof pair);
    const __m512i both = _mm512_set1_epi32(pair);
    __m512bh x;
    std::memcpy(&x, &both, sizeof x);
    return x;
}

constexpr int kFewQueries = 4;  // up to here memory is what attention waits for

// Registers of sums that hide the latency of their additions, for M queries.
template <int M>
constexpr int kBeside = M <= 3 ? 4 : 2;

// Scores of M queries [M][dim] against B pages from `page` on.
template <int M, int B>
inline void score_pages(const uint16_t* queries, int64_t dim, const PageRange& range, int64_t page, float* scores,
                        int64_t stride) {
    __m512 sums[M][B];
    for (auto& of_query : sums)
        for (auto& sum : of_query) sum = _mm512_setzero_ps();
    const uint16_t *keys[B], *ahead[B];
    for (int b = 0; b < B; ++b) keys[b] = range.keys(page + b), ahead[b] = range.keys_ahead(page + B + b);
    for (int64_t i = 0; i < dim / 2; ++i) {
        __m512bh k[B];
        for (int b = 0; b < B; ++b) {
            std::memcpy(&k[b], keys[b] + 32 * i, sizeof k[b]);
            if (M <= kFewQueries) __builtin_prefetch(ahead[b] + 32 * i);
        }
        for (int m = 0; m < M; ++m) {
            const __m512bh q = pair_of(queries + m * dim + 2 * i);
            for (int b = 0; b < B; ++b) sums[m][b] = _mm512_dpbf16_ps(sums[m][b], q, k[b]);
        }
    }
    for (int m = 0; m < M; ++m)
        for (int b = 0; b < B; ++b) _mm512_storeu_ps(scores + m * stride + kLanes * (page + b), sums[m][b]);
}

// Adds the weighted values of a range to 16 W dimensions from d on: weights [M][stride], sums [M][dim].
template <int M, int W>
inline void add_dimensions(const uint16_t* weights, int64_t stride, const PageRange& range, int64_t dim, float* sums,
                           int64_t d) {
    __m512 held[M][W];
    for (int m = 0; m < M; ++m)
        for (int w = 0; w < W; ++w) held[m][w] = _mm512_loadu_ps(sums + m * dim + d + kLanes * w);
    for (int64_t first = 0; first < range.positions; first += kLanes) {
        const int64_t pairs = (std::min(kLanes, range.positions - first) + 1) / 2;
        const uint16_t* const values = range.keys(first / kLanes) + kLanes * (dim + d);
        const uint16_t* const ahead = range.keys_ahead(first / kLanes + 1) + kLanes * (dim + d);
        for (int64_t i = 0; i < pairs; ++i) {
            __m512bh v[W];
            for (int64_t w = 0; w < W; ++w) {
                const uint16_t* const from = values + (w * 8 + i) * 32;
                std::memcpy(&v[w], from, sizeof v[w]);
                if (M <= kFewQueries) __builtin_prefetch(ahead + (w * 8 + i) * 32);
            }
            for (int m = 0; m < M; ++m) {
                const __m512bh p = pair_of(weights + m * stride + first + 2 * i);
                for (int w = 0; w < W; ++w) held[m][w] = _mm512_dpbf16_ps(held[m][w], p, v[w]);
            }
        }
    }
    for (int m = 0; m < M; ++m)
        for (int w = 0; w < W; ++w) _mm512_storeu_ps(sums + m * dim + d + kLanes * w, held[m][w]);
}

// Calls f(constant of M) for `count` queries.
template <int M, class F>
inline void with_count(int64_t count, const F& f) {
    if constexpr (M > 0) {
        if (count == M)
            f(std::integral_constant<int, M>());
        else
            with_count<M - 1>(count, f);
    }
}

inline void scores_of(int64_t count, const uint16_t* queries, int64_t dim, const PageRange& range, float* scores,
                      int64_t stride) {
    with_count<kMaxQueries>(count, [&](auto many) {
        constexpr int M = decltype(many)::value, B = kBeside<M>;
        const int64_t pages = (range.positions + kLanes - 1) / kLanes;
        int64_t page = 0;
        for (; page + B <= pages; page += B) score_pages<M, B>(queries, dim, range, page, scores, stride);
        for (; page < pages; ++page) score_pages<M, 1>(queries, dim, range, page, scores, stride);
    });
}

inline void add_values(int64_t count, const uint16_t* weights, int64_t stride, const PageRange& range, int64_t dim,
                       float* sums) {
    with_count<kMaxQueries>(count, [&](auto many) {
        constexpr int M = decltype(many)::value, W = kBeside<M>;
        int64_t d = 0;
        for (; d + W * kLanes <= dim; d += W * kLanes) add_dimensions<M, W>(weights, stride, range, dim, sums, d);
        for (; d < dim; d += kLanes) add_dimensions<M, 1>(weights, stride, range, dim, sums, d);
    });
}

}  // namespace

// As attend() of cpu_kernels.inc: a query's scores stand where its positions do.
void attend_bfloat16(const AttentionTask& task, std::vector<float>& scratch) {
    const int64_t group = task.group, dim = task.head_dim, rows = std::ssize(task.rows), count = rows * group;
    const int64_t shared = kLanes * task.page_count;
    int64_t longest = shared, most = 0;
    for (const AttentionRow& row : task.rows) most = std::max(most, row.length);
    longest = std::max(longest, most);
    const int64_t stride = padded(longest);
    scratch.resize(static_cast<size_t>(count * (stride + dim + dim / 2)));
    float *const scores = scratch.data(), *const sums = scores + count * stride;
    auto* const queries = reinterpret_cast<uint16_t*>(sums + count * dim);
    for (int64_t r = 0; r < rows; ++r)
        round_bfloat16(task.rows[static_cast<size_t>(r)].queries, group * dim, queries + r * group * dim);
    std::fill(sums, sums + count * dim, 0.0F);
    const PageRange common{task.pages, task.block, std::min(most, shared)};
    const auto for_each_own = [&](const auto& f) {
        for (int64_t r = 0; r < rows; ++r) {
            const AttentionRow& row = task.rows[static_cast<size_t>(r)];
            if (row.length > shared) f(r * group, PageRange{row.pages, task.block, row.length - shared});
        }
    };
    scores_of(count, queries, dim, common, scores, stride);
    for_each_own([&](int64_t first, const PageRange& range) {
        scores_of(group, queries + first * dim, dim, range, scores + first * stride + shared, stride);
    });
    const float scale = 1.0F / std::sqrt(static_cast<float>(dim));
    float totals[kMaxQueries], top = 0;
    auto* const weights = reinterpret_cast<uint16_t*>(scores);  // in the scores' place, their rows 2 stride apart
    for (int64_t i = 0; i < count; ++i) {
        float* const row = scores + i * stride;
        const int64_t length = task.rows[static_cast<size_t>(i / group)].length, end = padded(length);
        std::fill(row + length, row + end, -std::numeric_limits<float>::infinity());
        totals[i] = cpu_kernels().softmax_weights(row, end, scale, top);
        std::fill(row + end, row + std::max(end, shared), 0.0F);  // later positions' keys, which others see
        round_bfloat16(row, std::max(end, shared), weights + 2 * i * stride);
    }
    add_values(count, weights, 2 * stride, common, dim, sums);
    for_each_own([&](int64_t first, const PageRange& range) {
        add_values(group, weights + 2 * first * stride + shared, 2 * stride, range, dim, sums + first * dim);
    });
    for (int64_t i = 0; i < count; ++i) {
        float* const out = task.rows[static_cast<size_t>(i / group)].outputs + i % group * dim;
        for (int64_t d = 0; d < dim; ++d) out[d] = sums[i * dim + d] / totals[i];
    }
}

CRAFT_INSTRUCTIONS_END

#else

void attend_bfloat16(const AttentionTask&, std::vector<float>&) {
    throw std::logic_error("attention of bfloat16 pages without has_bfloat16_products()");
}

#endif

}  // namespace craft
