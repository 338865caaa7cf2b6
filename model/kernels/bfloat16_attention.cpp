#include "model/kernels/bfloat16_attention.h"

#include <ATen/Parallel.h>
#include <torch/types.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "model/kernels/bfloat16_products.h"
#include "model/kernels/cpu_kernels.h"
#include "model/kernels/segment_attention.h"

namespace craft {

namespace {

constexpr int64_t kRows = 12;      // queries of one product where each sees one position more than the one before
constexpr int64_t kDiagonal = 48;  // those of one pass over such positions in the backward pass
constexpr int64_t kSquare = 192;   // queries, and positions, of one pass elsewhere: keys, scores and gradients stay in a
                                   // core's second cache

static_assert(kSquare % kLanes == 0 && kSquare % kDiagonal == 0 && kDiagonal % 2 == 0);

const uint16_t* bits_of(const at::Tensor& x) {
    return reinterpret_cast<const uint16_t*>(x.const_data_ptr<at::BFloat16>());
}

// One head's keys and values of a range of positions, as right sides of products.
struct PackedRange {
    int64_t begin = 0, length = 0;
    std::vector<uint16_t> keys, values_back;  // columns are positions: K^T, V^T
    std::vector<uint16_t> values, keys_back;  // columns are dimensions: V, K

    void pack(const uint16_t* k, const uint16_t* v, int64_t first, int64_t last, int64_t dim, bool backward) {
        begin = first;
        length = last - first;
        const auto pack_one = [&](const uint16_t* rows, bool by_position, std::vector<uint16_t>& to) {
            to.resize(static_cast<size_t>(by_position ? padded(length) * dim : dim * ((length + 1) / 2 * 2)));
            pack_bfloat16(rows + first * dim, dim, by_position, by_position ? dim : length, by_position ? length : dim,
                          to.data());
        };
        pack_one(k, true, keys);
        if (!backward) return pack_one(v, false, values);
        pack_one(v, true, values_back);
        pack_one(k, false, keys_back);
    }
};

// One head of one segment: its own keys and values, and the first `seen` of its prefix's (null: none).
struct HeadTask {
    const PackedRange* before = nullptr;
    int64_t seen = 0;
    const PackedRange* own = nullptr;
    int64_t head = 0;
};

// Calls work(head task) for every segment and head, those of one tree and head on one thread.
template <class F>
void for_each_head(const at::Tensor& heads, const std::vector<Segment>& segments, const AttentionShape& shape, bool backward,
                   const F& work) {
    const auto trees = tree_ranges(segments);
    const int64_t dim = shape.head_dim, plane = heads.size(1) * dim, group = shape.heads / shape.kv_heads;
    const uint16_t* const base = bits_of(heads);
    at::parallel_for(0, std::ssize(trees) * shape.heads, 1, [&](int64_t begin, int64_t end) {
        PackedRange before, own;
        std::vector<float> scratch;
        for (int64_t t = begin; t < end; ++t) {
            const auto [first, last] = trees[static_cast<size_t>(t / shape.heads)];
            const int64_t head = t % shape.heads, kv_head = head / group;
            const uint16_t *const keys = base + (shape.heads + kv_head) * plane, *const values =
                                                                                     keys + shape.kv_heads * plane;
            const RowRange prefix = seen_prefix(segments, first, last);
            if (prefix.end > prefix.begin) before.pack(keys, values, prefix.begin, prefix.end, dim, backward);
            for (size_t i = first; i < last; ++i) {
                const Segment& s = segments[i];
                const int64_t seen = s.prefix_end - s.prefix_begin;
                own.pack(keys, values, s.begin, s.end, dim, backward);
                work(HeadTask{seen > 0 ? &before : nullptr, seen, &own, head}, scratch);
            }
        }
    });
}

// Rounds rows of floats in their place: row i then lies at 2 i stride.
const uint16_t* round_rows(float* rows, int64_t count, int64_t stride, int64_t columns) {
    auto* const to = reinterpret_cast<uint16_t*>(rows);
    for (int64_t i = 0; i < count; ++i) round_bfloat16(rows + i * stride, columns, to + 2 * i * stride);
    return to;
}

int64_t even(int64_t n) {
    return (n + 1) / 2 * 2;
}

constexpr float kHidden = -std::numeric_limits<float>::infinity();  // the score of what a query does not see

}  // namespace

bool bfloat16_attention_applies(const at::Tensor& qkv, const AttentionShape& shape) {
    return qkv.is_cpu() && qkv.scalar_type() == at::kBFloat16 && shape.head_dim % kLanes == 0 && has_bfloat16_products();
}

void bfloat16_attention_forward(const at::Tensor& heads, const std::vector<Segment>& segments, const AttentionShape& shape,
                                const at::Tensor& out, const at::Tensor& lse) {
    const int64_t dim = shape.head_dim, tokens = heads.size(1), out_stride = shape.heads * dim;
    const float scale = 1.0F / std::sqrt(static_cast<float>(dim));
    auto* const out_rows = reinterpret_cast<uint16_t*>(out.data_ptr<at::BFloat16>());
    float* const lse_rows = lse.data_ptr<float>();
    for_each_head(heads, segments, shape, false, [&](const HeadTask& task, std::vector<float>& scratch) {
        const PackedRange &own = *task.own, *const before = task.before;
        const int64_t shared = task.seen, own_at = padded(shared);
        const int64_t stride = own_at + padded(own.length);
        scratch.resize(static_cast<size_t>(kRows * (stride + dim)));
        float *const scores = scratch.data(), *const sums = scores + kRows * stride;
        const uint16_t* const queries = bits_of(heads) + (task.head * tokens + own.begin) * dim;
        for (int64_t first = 0; first < own.length; first += kRows) {
            const int64_t m = std::min(kRows, own.length - first), end = first + m, all = own_at + padded(end);
            const auto score = [&](const PackedRange& range, int64_t count, float* to) {
                multiply_bfloat16({.a = queries + first * dim,
                                   .a_stride = dim,
                                   .panels = range.keys.data(),
                                   .rows = m,
                                   .inner = dim,
                                   .columns = count,
                                   .c = to,
                                   .c_stride = stride,
                                   .c_is_float = true});
            };
            if (shared > 0) score(*before, shared, scores);
            score(own, end, scores + own_at);
            float totals[kRows], top = 0;
            for (int64_t i = 0; i < m; ++i) {
                float* const row = scores + i * stride;
                std::fill(row + shared, row + own_at, kHidden);
                std::fill(row + own_at + first + i + 1, row + all, kHidden);
                totals[i] = cpu_kernels().softmax_weights(row, all, scale, top);
                lse_rows[task.head * tokens + own.begin + first + i] = top * scale + std::log(totals[i]);
            }
            const uint16_t* const weights = round_rows(scores, m, stride, all);
            const auto add_values = [&](const PackedRange& range, int64_t at, int64_t count, bool add) {
                multiply_bfloat16({.a = weights + at,
                                   .a_stride = 2 * stride,
                                   .panels = range.values.data(),
                                   .rows = m,
                                   .inner = even(count),
                                   .columns = dim,
                                   .panel_inner = range.length,
                                   .c = sums,
                                   .c_stride = dim,
                                   .c_is_float = true,
                                   .add = add});
            };
            if (shared > 0) add_values(*before, 0, shared, false);
            add_values(own, own_at, end, shared > 0);
            for (int64_t i = 0; i < m; ++i) {
                float* const row = sums + i * dim;
                for (int64_t d = 0; d < dim; ++d) row[d] /= totals[i];
                round_bfloat16(row, dim, out_rows + (own.begin + first + i) * out_stride + task.head * dim);
            }
        }
    });
}

namespace {

// The gradients of one head's keys and values, transposed: [dim][stride], positions beside each other. The stride is an odd
// multiple of a cache line, so that rows of one position fall into different sets of the cache.
struct TransposedGradients {
    int64_t stride = 0;
    at::Tensor held;  // [heads][keys, values][dim][stride]
    TransposedGradients(int64_t heads, int64_t dim, int64_t tokens)
        : stride(padded(tokens) / kLanes % 2 == 1 ? padded(tokens) : padded(tokens) + kLanes),
          held(at::zeros({heads, 2, dim, stride}, at::kFloat)) {}
    float* of(int64_t head, bool is_value) const { return held.data_ptr<float>() + (2 * head + is_value) * held.stride(1); }

    // Adds them to d_heads, the query heads that read a kv head in their order.
    void add_to(const at::Tensor& d_heads, const AttentionShape& shape) const {
        const int64_t dim = shape.head_dim, tokens = d_heads.size(1), group = shape.heads / shape.kv_heads;
        float* const to = d_heads.data_ptr<float>();
        const int64_t blocks = padded(tokens) / kLanes;
        at::parallel_for(0, 2 * shape.kv_heads * blocks, 16, [&](int64_t begin, int64_t end) {
            std::vector<float> sums(static_cast<size_t>(dim * kLanes));
            float square[kLanes * kLanes];
            for (int64_t t = begin; t < end; ++t) {
                const int64_t plane = t / blocks, first = t % blocks * kLanes, count = std::min(kLanes, tokens - first);
                const bool is_value = plane >= shape.kv_heads;
                const int64_t kv_head = plane - (is_value ? shape.kv_heads : 0);
                std::fill(sums.begin(), sums.end(), 0.0F);
                for (int64_t head = kv_head * group; head < (kv_head + 1) * group; ++head) {
                    const float* const from = of(head, is_value) + first;
                    for (int64_t d = 0; d < dim; ++d)
                        for (int64_t j = 0; j < kLanes; ++j)
                            sums[static_cast<size_t>(d * kLanes + j)] += from[d * stride + j];
                }
                for (int64_t d = 0; d < dim; d += kLanes) {
                    cpu_kernels().transpose(sums.data() + d * kLanes, kLanes, square);
                    for (int64_t j = 0; j < count; ++j) {
                        float* const row = to + ((shape.heads + plane) * tokens + first + j) * dim + d;
                        for (int64_t k = 0; k < kLanes; ++k) row[k] += square[j * kLanes + k];
                    }
                }
            }
        });
    }
};

// sum over d of out[d] d_out[d], of each of m rows.
void deltas(const uint16_t* out, const uint16_t* d_out, int64_t stride, int64_t m, int64_t dim, float* to) {
    std::vector<float> rows(static_cast<size_t>(2 * dim));
    for (int64_t i = 0; i < m; ++i) {
        float *const a = rows.data(), *const b = a + dim;
        cpu_kernels().bfloat16_values(out + i * stride, dim, a);
        cpu_kernels().bfloat16_values(d_out + i * stride, dim, b);
        float parts[kLanes] = {};
        for (int64_t d = 0; d < dim; d += kLanes)
            for (int64_t j = 0; j < kLanes; ++j) parts[j] += a[d + j] * b[d + j];
        to[i] = 0;
        for (const float part : parts) to[i] += part;
    }
}

}  // namespace

void bfloat16_attention_backward(const at::Tensor& heads, const std::vector<Segment>& segments, const AttentionShape& shape,
                                 const at::Tensor& out, const at::Tensor& lse, const at::Tensor& d_out,
                                 const at::Tensor& d_heads) {
    const int64_t dim = shape.head_dim, tokens = heads.size(1), row_stride = shape.heads * dim;
    const float scale = 1.0F / std::sqrt(static_cast<float>(dim));
    const float* const lse_rows = lse.const_data_ptr<float>();
    const TransposedGradients gradients(shape.heads, dim, tokens);
    for_each_head(heads, segments, shape, true, [&](const HeadTask& task, std::vector<float>& scratch) {
        const PackedRange& own = *task.own;
        const int64_t at = task.head * tokens + own.begin, out_at = own.begin * row_stride + task.head * dim;
        const uint16_t *const queries = bits_of(heads) + at * dim, *const given = bits_of(d_out) + out_at;
        float* const d_queries = d_heads.data_ptr<float>() + at * dim;
        scratch.resize(static_cast<size_t>(2 * kSquare * kSquare + own.length));
        float *const p = scratch.data(), *const g = p + kSquare * kSquare, *const delta = g + kSquare * kSquare;
        deltas(bits_of(out) + out_at, given, row_stride, own.length, dim, delta);
        std::vector<uint16_t> queries_back(static_cast<size_t>(even(own.length) * dim)), given_back(queries_back.size()),
            panels(static_cast<size_t>(kSquare * kSquare));
        pair_rows(queries, dim, own.length, dim, queries_back.data());
        pair_rows(given, row_stride, own.length, dim, given_back.data());
        // Queries [first, first + m) against positions [position, position + n) of a range. Where they are the same tokens'
        // query i sees positions up to its own, and the n end with that of the last query.
        const auto pass = [&](const PackedRange& range, int64_t position, int64_t n, int64_t first, int64_t m,
                              bool is_diagonal) {
            const int64_t step = is_diagonal ? kRows : m;
            for (int64_t row = 0; row < m; row += step) {
                const int64_t rows = std::min(step, m - row), seen = is_diagonal ? n - m + row + rows : n;
                float *const p_rows = p + row * kSquare, *const g_rows = g + row * kSquare;
                const auto score = [&](const uint16_t* a, int64_t a_stride, const std::vector<uint16_t>& back, float* to) {
                    multiply_bfloat16({.a = a + (first + row) * a_stride,
                                       .a_stride = a_stride,
                                       .panels = back.data() + position * dim,
                                       .rows = rows,
                                       .inner = dim,
                                       .columns = seen,
                                       .c = to,
                                       .c_stride = kSquare,
                                       .c_is_float = true});
                };
                score(queries, dim, range.keys, p_rows);
                score(given, row_stride, range.values_back, g_rows);
                for (int64_t i = 0; i < rows; ++i) {
                    float *const p_row = p_rows + i * kSquare, *const g_row = g_rows + i * kSquare;
                    const int64_t visible = is_diagonal ? n - m + row + i + 1 : n;
                    std::fill(p_row + visible, p_row + padded(n), kHidden);
                    std::fill(g_row + visible, g_row + padded(n), 0.0F);
                    cpu_kernels().score_gradients(p_row, g_row, padded(n), scale, lse_rows[at + first + row + i],
                                                  delta[first + row + i]);
                }
                round_rows(p_rows, rows, kSquare, padded(n));
                const uint16_t* const d_scores = round_rows(g_rows, rows, kSquare, padded(n));
                multiply_bfloat16({.a = d_scores,
                                   .a_stride = 2 * kSquare,
                                   .panels = range.keys_back.data() + position * kLanes,
                                   .rows = rows,
                                   .inner = even(seen),
                                   .columns = dim,
                                   .panel_inner = range.length,
                                   .c = d_queries + (first + row) * dim,
                                   .c_stride = dim,
                                   .c_is_float = true,
                                   .add = true});
            }
            const auto add_back = [&](const float* x, const std::vector<uint16_t>& back, bool is_value) {
                pack_bfloat16(reinterpret_cast<const uint16_t*>(x), 2 * kSquare, false, m, padded(n), panels.data());
                multiply_bfloat16({.a = back.data() + first * dim,
                                   .a_stride = dim,
                                   .a_paired = true,
                                   .panels = panels.data(),
                                   .rows = dim,
                                   .inner = even(m),
                                   .columns = n,
                                   .c = gradients.of(task.head, is_value) + range.begin + position,
                                   .c_stride = gradients.stride,
                                   .c_is_float = true,
                                   .add = true});
            };
            add_back(g, queries_back, false);
            add_back(p, given_back, true);
        };
        const auto below = [&](const PackedRange& range, int64_t position, int64_t n, int64_t from) {
            for (int64_t first = from; first < own.length; first += kSquare)
                pass(range, position, n, first, std::min(kSquare, own.length - first), false);
        };
        if (task.before != nullptr)
            for (int64_t position = 0; position < task.seen; position += kSquare)
                below(*task.before, position, std::min(kSquare, task.seen - position), 0);
        for (int64_t position = 0; position < own.length; position += kSquare) {
            const int64_t n = std::min(kSquare, own.length - position);
            for (int64_t first = position; first < position + n; first += kDiagonal) {
                const int64_t m = std::min(kDiagonal, position + n - first);
                pass(own, position, first + m - position, first, m, true);
            }
            below(own, position, n, position + n);
        }
    });
    gradients.add_to(d_heads, shape);
}

}  // namespace craft
