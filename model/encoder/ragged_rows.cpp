#include "model/encoder/ragged_rows.h"

#include <torch/types.h>

namespace craft {

namespace {

// The places of rows [begin, end) of x, all of one length -> [rows, heads, places, width / heads], a view.
at::Tensor heads_of(const at::Tensor& x, const RaggedRows& rows, size_t begin, size_t end, int64_t heads) {
    const int64_t count = static_cast<int64_t>(end - begin), places = RaggedRows::places(rows.lengths[begin]);
    return x.narrow(0, rows.begins[begin], count * places).view({count, places, heads, x.size(1) / heads}).transpose(1, 2);
}

}  // namespace

void RaggedRows::add(int64_t length, at::Tensor visible_tokens) {
    begins.push_back(total());
    lengths.push_back(length);
    visible.push_back(std::move(visible_tokens));
}

at::Tensor attend(const at::Tensor& q, const at::Tensor& k, const at::Tensor& v, const RaggedRows& queries,
                  const RaggedRows& keys, int64_t heads, bool causal) {
    at::Tensor result = at::empty(q.sizes(), q.options());
    const size_t rows = queries.lengths.size();
    for (size_t begin = 0, end = 0; begin < rows; begin = end) {
        const at::Tensor& visible = keys.visible[begin];
        const auto is_like_first = [&](size_t row) {
            return queries.lengths[row] == queries.lengths[begin] && keys.lengths[row] == keys.lengths[begin] &&
                   !visible.defined() && !keys.visible[row].defined();
        };
        for (end = begin + 1; end < rows && is_like_first(end);) ++end;
        at::Tensor own_k = heads_of(k, keys, begin, end, heads), own_v = heads_of(v, keys, begin, end, heads);
        if (visible.defined()) {
            own_k = own_k.index_select(2, visible);
            own_v = own_v.index_select(2, visible);
        } else if (!causal) {  // else a token never sees the places after its row
            own_k = own_k.narrow(2, 0, keys.lengths[begin]);
            own_v = own_v.narrow(2, 0, keys.lengths[begin]);
        }
        const at::Tensor attended =
            at::scaled_dot_product_attention(heads_of(q, queries, begin, end, heads), own_k, own_v, {}, 0, causal);
        heads_of(result, queries, begin, end, heads).copy_(attended);
    }
    return result;
}

}  // namespace craft
