#include <torch/autograd.h>
#include <torch/types.h>

#include <algorithm>

#include "model/decoder.h"
#include "model/head_logprobs.h"
#include "model/products.h"
#include "model/rotary.h"

namespace craft {

namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

constexpr int64_t kLogitsAtOnce = int64_t{1} << 24;  // elements of one chunk of logits

int64_t chunk_rows(const at::Tensor& head) {
    return std::max<int64_t>(16, kLogitsAtOnce / head.size(0));
}

at::ScalarType wide(const at::Tensor& x) {
    return x.scalar_type() == at::kDouble ? at::kDouble : at::kFloat;
}

// Logits of some rows, capped where cap > 0, and their log-sum-exp.
struct ChunkLogits {
    at::Tensor logits, lse;
    ChunkLogits(const at::Tensor& rows, const at::Tensor& head, double cap) : logits(product(rows, head.t()).to(wide(rows))) {
        if (cap > 0) logits.div_(cap).tanh_().mul_(cap);
        lse = at::logsumexp(logits, {-1}, true);
    }
    // softmax - onehot of the targets, through the cap: the gradient of -log softmax by the products before it.
    at::Tensor gradient(const at::Tensor& ids, double cap) {
        at::Tensor slope;
        if (cap > 0) slope = 1 - (logits / cap).square_();
        at::Tensor p = logits.sub_(lse).exp_();
        p.scatter_add_(1, ids, at::full_like(lse, -1));
        return cap > 0 ? p.mul_(slope) : p;
    }
};

// log softmax(h W^T)[target] by chunks of rows: full logits exist for one chunk at a time. The softmax is not kept: with a
// frozen head the gradient of h, up to the factor that arrives in backward, is made in forward; else chunks are made again.
struct TargetLogprobs : torch::autograd::Function<TargetLogprobs> {
    static at::Tensor forward(AutogradContext* ctx, const at::Tensor& h, const at::Tensor& head, const at::Tensor& targets,
                              double cap) {
        const bool prepare = h.requires_grad() && !head.requires_grad();
        if (!head.requires_grad() && head_logprobs_apply(h, head, cap)) {
            at::Tensor direction;
            const at::Tensor logprobs = head_logprobs(h, head, targets, prepare ? &direction : nullptr);
            ctx->save_for_backward({h, head, targets, direction});
            return logprobs;
        }
        const int64_t count = h.size(0), step = chunk_rows(head);
        at::Tensor out = at::empty({count}, h.options().dtype(wide(h)));
        at::Tensor direction = prepare ? at::empty_like(h) : at::Tensor();
        for (int64_t begin = 0; begin < count; begin += step) {
            const int64_t n = std::min(step, count - begin);
            const at::Tensor rows = h.narrow(0, begin, n), ids = targets.narrow(0, begin, n).unsqueeze(1);
            ChunkLogits chunk(rows, head, cap);
            out.narrow(0, begin, n).copy_((chunk.logits.gather(1, ids) - chunk.lse).squeeze(1));
            if (!prepare) continue;
            const at::Tensor p = chunk.gradient(ids, cap);
            direction.narrow(0, begin, n).copy_(product(p.to(h.scalar_type()), head).neg_());
        }
        ctx->save_for_backward({h, head, targets, direction});
        ctx->saved_data["cap"] = cap;
        return out;
    }

    static variable_list backward(AutogradContext* ctx, const variable_list& gradients) {
        const variable_list saved = ctx->get_saved_variables();
        const at::Tensor &h = saved[0], &head = saved[1], &targets = saved[2], &direction = saved[3];
        const at::Tensor g = gradients[0].unsqueeze(1);
        if (direction.defined()) return {direction * g.to(h.scalar_type()), at::Tensor(), at::Tensor(), at::Tensor()};
        const double cap = ctx->saved_data["cap"].toDouble();
        at::Tensor d_h = at::empty_like(h), d_head = at::zeros_like(head);
        const int64_t count = h.size(0), step = chunk_rows(head);
        for (int64_t begin = 0; begin < count; begin += step) {
            const int64_t n = std::min(step, count - begin);
            const at::Tensor rows = h.narrow(0, begin, n), ids = targets.narrow(0, begin, n).unsqueeze(1);
            at::Tensor p = ChunkLogits(rows, head, cap).gradient(ids, cap);
            const at::Tensor d_logits = p.mul_(g.narrow(0, begin, n)).neg_().to(h.scalar_type());
            d_h.narrow(0, begin, n).copy_(product(d_logits, head));
            add_product(d_head, d_logits.t(), rows);
        }
        return {d_h, d_head, at::Tensor(), at::Tensor()};
    }
};

}  // namespace

at::Tensor target_logprobs(const Decoder& decoder, const PackedBatch& given) {
    const PackedBatch batch = separate_branches(decoder.config(), given);
    const at::Tensor rows = decoder.hidden(batch).index_select(0, batch.target_rows);
    return TargetLogprobs::apply(rows, decoder.adapted_head(), batch.targets, decoder.config().logit_cap);
}

}  // namespace craft
