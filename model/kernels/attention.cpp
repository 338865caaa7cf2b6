#include "model/kernels/attention.h"

#include <ATen/OpMathType.h>
#include <ATen/Parallel.h>
#include <torch/autograd.h>
#include <torch/types.h>

#include <vector>

#include "model/kernels/bfloat16_attention.h"
#include "model/kernels/composed_attention.h"
#include "model/kernels/cpu_kernels.h"
#include "model/kernels/joined_attention.h"
#include "model/kernels/segment_attention.h"

namespace craft {

namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

// Rows [t][head][d] <-> heads [head][t][d]; the first `rotated` heads turn by +angle (forward) or -angle (backward).
// `half` pairs of dimensions turn, the rest of a head moves as it is.
template <class T, bool forward>
void move_heads(T* rows, T* heads, const at::opmath_type<T>* cos, const at::opmath_type<T>* sin, int64_t tokens,
                int64_t count, int64_t rotated, int64_t dim, int64_t half) {
    using Math = at::opmath_type<T>;
    at::parallel_for(0, tokens, 64, [&](int64_t begin, int64_t end) {
        for (int64_t head = 0; head < count; ++head) {
            for (int64_t t = begin; t < end; ++t) {
                T* const row = rows + (t * count + head) * dim;
                T* const place = heads + (head * tokens + t) * dim;
                const T* const from = forward ? row : place;
                T* const to = forward ? place : row;
                if (head >= rotated) {
                    for (int64_t d = 0; d < dim; ++d) to[d] = from[d];
                    continue;
                }
                const Math *const c = cos + t * half, *const s = sin + t * half;
                for (int64_t d = 0; d < half; ++d) {
                    const auto x = static_cast<Math>(from[d]), y = static_cast<Math>(from[d + half]);
                    const Math turn = forward ? s[d] : -s[d];
                    to[d] = static_cast<T>(x * c[d] - y * turn);
                    to[d + half] = static_cast<T>(y * c[d] + x * turn);
                }
                for (int64_t d = 2 * half; d < dim; ++d) to[d] = from[d];
            }
        }
    });
}

// bfloat16 rows and heads in float32 or bfloat16: a token's row at a time in float32, rounded once.
template <bool forward>
void move_wide_heads(const at::Tensor& rows, const at::Tensor& heads, const at::Tensor& cos, const at::Tensor& sin,
                     const AttentionShape& shape) {
    const int64_t tokens = rows.size(0), dim = shape.head_dim, half = cos.size(1), turning = shape.heads + shape.kv_heads,
                  count = turning + shape.kv_heads;
    auto* const bits = reinterpret_cast<uint16_t*>(rows.data_ptr<at::BFloat16>());
    const bool is_wide = heads.scalar_type() == at::kFloat;
    auto* const planes = static_cast<uint8_t*>(heads.data_ptr());
    at::parallel_for(0, tokens, 64, [&](int64_t begin, int64_t end) {
        std::vector<float> row(static_cast<size_t>(count * dim));
        for (int64_t t = begin; t < end; ++t) {
            const float *const c = cos.const_data_ptr<float>() + t * half, *const s = sin.const_data_ptr<float>() + t * half;
            if (forward) cpu_kernels().bfloat16_values(bits + t * count * dim, count * dim, row.data());
            for (int64_t head = 0; head < count; ++head) {
                uint8_t* const place = planes + (head * tokens + t) * dim * heads.element_size();
                float *const own = row.data() + head * dim, *const wide = is_wide ? reinterpret_cast<float*>(place) : own;
                auto* const narrow = reinterpret_cast<uint16_t*>(place);
                if (!forward && !is_wide) cpu_kernels().bfloat16_values(narrow, dim, own);
                cpu_kernels().turn_head(forward ? own : wide, c, s, forward ? 1.0F : -1.0F, head < turning ? half : 0, dim,
                                        forward ? wide : own);
                if (forward && !is_wide) cpu_kernels().to_bfloat16(own, dim, narrow);
            }
            if (!forward) cpu_kernels().to_bfloat16(row.data(), count * dim, bits + t * count * dim);
        }
    });
}

// heads in rows' dtype, those of bfloat16 rows also in float32.
template <bool forward>
void move_heads(const at::Tensor& rows, const at::Tensor& heads, const at::Tensor& cos, const at::Tensor& sin,
                const AttentionShape& shape) {
    if (rows.scalar_type() == at::kBFloat16 && rows.is_cpu()) return move_wide_heads<forward>(rows, heads, cos, sin, shape);
    AT_DISPATCH_FLOATING_TYPES_AND(at::kHalf, rows.scalar_type(), "move_heads", [&] {
        using Math = at::opmath_type<scalar_t>;
        move_heads<scalar_t, forward>(rows.data_ptr<scalar_t>(), heads.data_ptr<scalar_t>(), cos.const_data_ptr<Math>(),
                                      sin.const_data_ptr<Math>(), rows.size(0), shape.heads + 2 * shape.kv_heads,
                                      shape.heads + shape.kv_heads, shape.head_dim, cos.size(1));
    });
}

// out [tokens, heads * head_dim] seen as [kv_heads, group, rows, head_dim].
at::Tensor rows_by_head(const at::Tensor& out, const Segment& s, const AttentionShape& shape) {
    return out.narrow(0, s.begin, s.end - s.begin)
        .view({s.end - s.begin, shape.kv_heads, shape.heads / shape.kv_heads, shape.head_dim})
        .permute({1, 2, 0, 3});
}

// Attention over [prefix, own] in two calls, joined by their log-sum-exps; lse [kv_heads, group, rows].
std::pair<at::Tensor, at::Tensor> attend(const Heads& heads, const Segment& s) {
    const at::Tensor q = heads.queries(s.begin, s.end);
    auto [own, own_lse] = at::_scaled_dot_product_flash_attention_for_cpu(q, heads.keys(s.begin, s.end),
                                                                          heads.values(s.begin, s.end), 0.0, true);
    if (s.prefix_end == s.prefix_begin) return {own, own_lse};
    auto [before, before_lse] = at::_scaled_dot_product_flash_attention_for_cpu(
        q, heads.keys(s.prefix_begin, s.prefix_end), heads.values(s.prefix_begin, s.prefix_end), 0.0, false);
    const at::Tensor lse = at::logaddexp(own_lse, before_lse);
    const auto weight = [&](const at::Tensor& part) { return (part - lse).exp_().unsqueeze(-1); };
    const at::Tensor joined = own.to(lse.scalar_type()) * weight(own_lse);
    joined.addcmul_(before.to(lse.scalar_type()), weight(before_lse));
    return {joined.to(own.scalar_type()), lse};
}

// Any floating dtype on the CPU, by the library's flash attention: one autograd node from projected rows to attended rows;
// gradients go straight into one buffer.
struct PackedAttention : torch::autograd::Function<PackedAttention> {
    static at::Tensor forward(AutogradContext* ctx, const at::Tensor& qkv, const at::Tensor& cos, const at::Tensor& sin,
                              const AttentionShape& shape, const std::vector<Segment>& segments, at::Tensor* rotated) {
        const at::Tensor heads = rotate_heads(qkv, {cos, sin}, shape);
        if (rotated != nullptr) *rotated = heads;
        const Heads views(heads, shape);
        at::Tensor out = at::empty({qkv.size(0), shape.heads * shape.head_dim}, qkv.options());
        variable_list saved{heads, cos, sin, out};
        std::vector<int64_t> ranges;
        for (const Segment& s : segments) {
            auto [part, lse] = attend(views, s);
            rows_by_head(out, s, shape).copy_(part);
            if (qkv.requires_grad()) saved.push_back(lse);
            ranges.insert(ranges.end(), {s.begin, s.end, s.prefix_begin, s.prefix_end});
        }
        ctx->save_for_backward(saved);
        ctx->saved_data["ranges"] = ranges;
        ctx->saved_data["shape"] = std::vector<int64_t>{shape.heads, shape.kv_heads, shape.head_dim};
        return out;
    }

    static variable_list backward(AutogradContext* ctx, const variable_list& gradients) {
        const variable_list saved = ctx->get_saved_variables();
        const auto ranges = ctx->saved_data["ranges"].toIntVector(), sizes = ctx->saved_data["shape"].toIntVector();
        const AttentionShape shape{sizes[0], sizes[1], sizes[2]};
        const at::Tensor &heads = saved[0], &out = saved[3];
        const at::Tensor d_out = gradients[0].contiguous();
        const at::Tensor d_heads = at::zeros_like(heads);
        const Heads views(heads, shape), d_views(d_heads, shape);
        for (size_t i = 0; 4 * i < ranges.size(); ++i) {
            const Segment s{ranges[4 * i], ranges[4 * i + 1], ranges[4 * i + 2], ranges[4 * i + 3]};
            const at::Tensor q = views.queries(s.begin, s.end), o = rows_by_head(out, s, shape),
                             d_o = rows_by_head(d_out, s, shape);
            // With the joint log-sum-exp and output, each part of the keys has its gradient by itself.
            const auto part = [&](int64_t begin, int64_t end, bool causal) {
                auto [dq, dk, dv] = at::_scaled_dot_product_flash_attention_for_cpu_backward(
                    d_o, q, views.keys(begin, end), views.values(begin, end), o, saved[4 + i], 0.0, causal);
                d_views.q.narrow(2, s.begin, s.end - s.begin).add_(dq);
                d_views.k.narrow(2, begin, end - begin).add_(dk.sum(1, true));
                d_views.v.narrow(2, begin, end - begin).add_(dv.sum(1, true));
            };
            part(s.begin, s.end, true);
            if (s.prefix_end > s.prefix_begin) part(s.prefix_begin, s.prefix_end, false);
        }
        const at::Tensor d_qkv = at::empty({heads.size(1), heads.size(0) * heads.size(2)}, heads.options());
        move_heads<false>(d_qkv, d_heads, saved[1], saved[2], shape);
        return {d_qkv, {}, {}, {}, {}, {}};
    }
};

at::Tensor heads_of(const at::Tensor& qkv, const RotaryTable& table, const AttentionShape& shape, at::ScalarType dtype) {
    const at::Tensor rows = qkv.contiguous();
    const int64_t count = shape.heads + 2 * shape.kv_heads;
    const at::Tensor heads = at::empty({count, qkv.size(0), shape.head_dim}, qkv.options().dtype(dtype));
    move_heads<true>(rows, heads, table.cos, table.sin, shape);
    return heads;
}

// Float32 and bfloat16 on the CPU by our own kernels: about three times as fast as the library's on segments of some hundred
// tokens. bfloat16 rows are multiplied as such where the processor does that, else in float32. Their turned heads are made
// again in backward.
struct SegmentAttention : torch::autograd::Function<SegmentAttention> {
    static at::Tensor forward(AutogradContext* ctx, const at::Tensor& qkv, const at::Tensor& cos, const at::Tensor& sin,
                              const AttentionShape& shape, const std::vector<Segment>& segments, at::Tensor* rotated) {
        const bool is_narrow = bfloat16_attention_applies(qkv, shape);
        const at::ScalarType dtype = qkv.scalar_type(), head_type = is_narrow ? at::kBFloat16 : at::kFloat;
        const at::Tensor heads = heads_of(qkv, {cos, sin}, shape, head_type);
        if (rotated != nullptr) *rotated = heads.to(dtype);
        at::Tensor out = at::empty({qkv.size(0), shape.heads * shape.head_dim}, heads.options());
        const at::Tensor lse = at::empty({shape.heads, qkv.size(0)}, heads.options().dtype(at::kFloat));
        (is_narrow ? bfloat16_attention_forward : segment_attention_forward)(heads, segments, shape, out, lse);
        out = out.to(dtype);
        ctx->save_for_backward({dtype == at::kFloat ? heads : qkv, cos, sin, out, lse});
        std::vector<int64_t> ranges;
        for (const Segment& s : segments) ranges.insert(ranges.end(), {s.begin, s.end, s.prefix_begin, s.prefix_end});
        ctx->saved_data["ranges"] = ranges;
        ctx->saved_data["shape"] = std::vector<int64_t>{shape.heads, shape.kv_heads, shape.head_dim};
        ctx->saved_data["is_narrow"] = is_narrow;
        return out;
    }

    static variable_list backward(AutogradContext* ctx, const variable_list& gradients) {
        const variable_list saved = ctx->get_saved_variables();
        const auto ranges = ctx->saved_data["ranges"].toIntVector(), sizes = ctx->saved_data["shape"].toIntVector();
        const AttentionShape shape{sizes[0], sizes[1], sizes[2]};
        std::vector<Segment> segments;
        for (size_t i = 0; i < ranges.size(); i += 4)
            segments.push_back({ranges[i], ranges[i + 1], ranges[i + 2], ranges[i + 3]});
        const at::Tensor &cos = saved[1], &sin = saved[2], &out = saved[3];
        const bool is_narrow = ctx->saved_data["is_narrow"].toBool();
        const at::ScalarType head_type = is_narrow ? at::kBFloat16 : at::kFloat;
        const at::Tensor heads =
            out.scalar_type() == at::kFloat ? saved[0] : heads_of(saved[0], {cos, sin}, shape, head_type);
        const at::Tensor d_heads = at::zeros(heads.sizes(), heads.options().dtype(at::kFloat));
        (is_narrow ? bfloat16_attention_backward : segment_attention_backward)(
            heads, segments, shape, out.to(head_type), saved[4], gradients[0].to(head_type).contiguous(), d_heads);
        const at::Tensor d_qkv = at::empty({heads.size(1), heads.size(0) * heads.size(2)}, out.options());
        move_heads<false>(d_qkv, d_heads, cos, sin, shape);
        return {d_qkv, {}, {}, {}, {}, {}};
    }
};

}  // namespace

AttentionShape attention_shape(const DecoderConfig& c, int64_t layer) {
    return {c.heads, c.kv_heads, c.head_dim, c.window(layer), c.attention_scale, c.attention_cap};
}

at::Tensor rotate_heads(const at::Tensor& qkv, const RotaryTable& table, const AttentionShape& shape) {
    return heads_of(qkv, table, shape, qkv.scalar_type());
}

at::Tensor packed_attention(const at::Tensor& qkv, const RotaryTable& table, const AttentionShape& shape,
                            const std::vector<Segment>& segments, at::Tensor* rotated) {
    if (!is_plain_attention(shape, segments)) return composed_attention(qkv, table, shape, segments, rotated);
    if (segment_attention_applies(qkv, shape))
        return SegmentAttention::apply(qkv, table.cos, table.sin, shape, segments, rotated);
    if (!qkv.is_cpu()) return joined_attention(qkv, table, shape, segments, rotated, best_sequence_attention(qkv, shape));
    return PackedAttention::apply(qkv, table.cos, table.sin, shape, segments, rotated);
}

}  // namespace craft
