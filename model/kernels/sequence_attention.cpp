#include "model/kernels/sequence_attention.h"

#include <ATen/OpMathType.h>
#include <torch/types.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "model/kernels/cuda/ops.h"

namespace craft {

namespace {

constexpr int64_t kQueriesAtOnce = 512;

// A block of a sequence's queries and the keys that some of them see, as [kv_heads, group or 1, rows, head_dim].
struct PlainBlock {
    int64_t query, rows, key, keys;  // ranges in the row of tokens
    at::Tensor q, k, v, hidden;      // hidden [rows, keys]: true where a query does not see a key; undefined: all seen

    PlainBlock(const at::Tensor& all_q, const at::Tensor& all_k, const at::Tensor& all_v, const Sequences& s, size_t i,
               int64_t first)
        : query(s.queries[i] + first),
          rows(std::min(kQueriesAtOnce, s.queries[i + 1] - query)),
          key(s.keys[i]),
          keys(s.causal ? first + rows : s.keys[i + 1] - key) {
        q = by_head(all_q.narrow(0, query, rows), all_k.size(1));
        k = by_head(all_k.narrow(0, key, keys), all_k.size(1));
        v = by_head(all_v.narrow(0, key, keys), all_k.size(1));
        if (s.causal) hidden = at::ones({rows, keys}, q.options().dtype(at::kBool)).triu_(first + 1);
    }

    // rows [n, heads, head_dim] in the wide type.
    static at::Tensor by_head(const at::Tensor& x, int64_t kv_heads) {
        return x.to(at::toOpMathType(x.scalar_type()))
            .reshape({x.size(0), kv_heads, x.size(1) / kv_heads, x.size(2)})
            .permute({1, 2, 0, 3});
    }
    // [kv_heads, group, n, head_dim] -> [n, heads, head_dim].
    static at::Tensor by_row(const at::Tensor& x) {
        return x.permute({2, 0, 1, 3}).reshape({x.size(2), x.size(0) * x.size(1), x.size(3)});
    }
    double scale() const { return 1 / std::sqrt(static_cast<double>(q.size(-1))); }
    at::Tensor scores() const {
        at::Tensor products = at::matmul(q, k.transpose(-1, -2)).mul_(scale());
        if (hidden.defined()) products.masked_fill_(hidden, -std::numeric_limits<double>::infinity());
        return products;
    }
    // lse [heads, rows] as [kv_heads, group, rows, 1].
    at::Tensor column(const at::Tensor& lse) const { return lse.reshape({q.size(0), q.size(1), lse.size(1), 1}); }
};

template <class F>
void for_each_block(const at::Tensor& q, const at::Tensor& k, const at::Tensor& v, const Sequences& s, const F& f) {
    for (size_t i = 0; i < s.count(); ++i)
        for (int64_t first = 0; s.queries[i] + first < s.queries[i + 1]; first += kQueriesAtOnce)
            f(PlainBlock(q, k, v, s, i, first));
}

class PlainAttention : public SequenceAttention {
public:
    Attended forward(const at::Tensor& q, const at::Tensor& k, const at::Tensor& v, const Sequences& s) const override {
        Attended result{at::empty(q.sizes(), q.options()),
                        at::empty({q.size(1), q.size(0)}, q.options().dtype(at::toOpMathType(q.scalar_type())))};
        for_each_block(q, k, v, s, [&](const PlainBlock& block) {
            const at::Tensor scores = block.scores(), lse = scores.logsumexp(-1, true);
            const at::Tensor out = at::matmul((scores - lse).exp_(), block.v);
            result.out.narrow(0, block.query, block.rows).copy_(PlainBlock::by_row(out));
            result.lse.narrow(1, block.query, block.rows).copy_(lse.reshape({q.size(1), block.rows}));
        });
        return result;
    }

    Gradients backward(const at::Tensor& d_out, const at::Tensor& q, const at::Tensor& k, const at::Tensor& v,
                       const at::Tensor& out, const at::Tensor& lse, const Sequences& s) const override {
        const auto zeros = [](const at::Tensor& x) {
            return at::zeros(x.sizes(), x.options().dtype(at::toOpMathType(x.scalar_type())));
        };
        const Gradients sums{zeros(q), zeros(k), zeros(v)};
        for_each_block(q, k, v, s, [&](const PlainBlock& block) {
            const auto rows = [&](const at::Tensor& x) {
                return PlainBlock::by_head(x.narrow(0, block.query, block.rows), k.size(1));
            };
            const at::Tensor o = rows(out), d_o = rows(d_out);
            const at::Tensor weights = (block.scores() - block.column(lse.narrow(1, block.query, block.rows))).exp_();
            const at::Tensor d_weights = at::matmul(d_o, block.v.transpose(-1, -2)).sub_((d_o * o).sum(-1, true));
            const at::Tensor d_scores = (weights * d_weights).mul_(block.scale());
            sums.q.narrow(0, block.query, block.rows).copy_(PlainBlock::by_row(at::matmul(d_scores, block.k)));
            const auto add = [&](const at::Tensor& sum, const at::Tensor& by_query_head) {
                sum.narrow(0, block.key, block.keys).add_(PlainBlock::by_row(by_query_head.sum(1, true)));
            };
            add(sums.k, at::matmul(d_scores.transpose(-1, -2), block.q));
            add(sums.v, at::matmul(weights.transpose(-1, -2), d_o));
        });
        return {sums.q.to(q.scalar_type()), sums.k.to(k.scalar_type()), sums.v.to(v.scalar_type())};
    }
};

// The longest of sequences that begin at `starts`, rounded up: the kernels take it as a bound, and one query by itself would
// make them answer in another layout.
int64_t longest(const std::vector<int32_t>& starts) {
    int64_t most = 1;
    for (size_t i = 1; i < starts.size(); ++i) most = std::max<int64_t>(most, starts[i] - starts[i - 1]);
    return (most + 127) / 128 * 128;
}

class FlashAttention : public SequenceAttention {
public:
    Attended forward(const at::Tensor& q, const at::Tensor& k, const at::Tensor& v, const Sequences& s) const override {
        const auto result =
            at::_flash_attention_forward(q, k, v, s.device_queries, s.device_keys, longest(s.queries), longest(s.keys),
                                         /*dropout_p=*/0.0, s.causal, /*return_debug_mask=*/false);
        const at::Tensor &out = std::get<0>(result), &lse = std::get<1>(result);
        TORCH_CHECK(lse.dim() == 2 && lse.size(0) == q.size(1) && lse.size(1) == q.size(0),
                    "flash attention: expected log-sum-exps [heads, tokens], got ", lse.sizes(), " of this LibTorch");
        return {out.contiguous(), lse};
    }

    Gradients backward(const at::Tensor& d_out, const at::Tensor& q, const at::Tensor& k, const at::Tensor& v,
                       const at::Tensor& out, const at::Tensor& lse, const Sequences& s) const override {
        const auto state = q.options().dtype(at::kUInt64);  // of dropout's random numbers, of which there are none
        auto [d_q, d_k, d_v] = at::_flash_attention_backward(
            d_out.contiguous(), q, k, v, out.contiguous(), lse.contiguous(), s.device_queries, s.device_keys,
            longest(s.queries), longest(s.keys), /*dropout_p=*/0.0, s.causal, at::empty({2}, state), at::empty({}, state));
        return {d_q, d_k, d_v};
    }

    // Its blocks take so many registers that a multiprocessor runs one at a time.
    int64_t blocks_at_once(const at::Device& device) const override {
        if constexpr (cuda::kBuilt)
            if (device.is_cuda()) return cuda::multiprocessors(device);
        return 0;
    }
};

}  // namespace

const SequenceAttention& plain_sequence_attention() {
    static const PlainAttention attention;
    return attention;
}

const SequenceAttention& flash_sequence_attention() {
    static const FlashAttention attention;
    return attention;
}

const SequenceAttention& best_sequence_attention(const at::Tensor& rows, const AttentionShape& shape) {
    const bool is_half = rows.scalar_type() == at::kBFloat16 || rows.scalar_type() == at::kHalf;
    const bool fits = rows.is_cuda() && is_half && shape.head_dim % 8 == 0 && shape.head_dim <= 256;
    return fits ? flash_sequence_attention() : plain_sequence_attention();
}

}  // namespace craft
