#include <ATen/OpMathType.h>
#include <torch/autograd.h>
#include <torch/types.h>

#include <algorithm>

#include "core/signals.h"
#include "model/decoder/decoder.h"
#include "model/decoder/head_logprobs.h"
#include "model/kernels/cuda/ops.h"
#include "model/kernels/products.h"
#include "model/kernels/rotary.h"

namespace craft {

namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

// Elements of one chunk of logits: on a GPU more, or its products have too few rows to be fast. They work on squares of 128
// rows there, and a last one that is partly filled takes as long as a whole one.
constexpr int64_t kLogitsAtOnce = int64_t{1} << 24, kGpuLogitsAtOnce = int64_t{1} << 27, kGpuTileRows = 128;

int64_t chunk_rows(const at::Tensor& head) {
    if (!head.is_cuda()) return std::max<int64_t>(16, kLogitsAtOnce / head.size(0));
    return std::max<int64_t>(1, kGpuLogitsAtOnce / head.size(0) / kGpuTileRows) * kGpuTileRows;
}

// The head [vocab, hidden] with its adapter beside it, as PEFT has it: scale * B A added to the weights would be rounded to
// their dtype, which small adapters do not survive.
struct Head {
    at::Tensor weight, a, b;  // a [rank, hidden], b [vocab, rank] in float32 (float64 in a float64 model); empty without one
    double scale = 0;
    double cap = 0;  // of logits; 0: none

    bool is_adapted() const { return a.numel() > 0; }
    bool trains_adapter() const { return a.requires_grad() || b.requires_grad(); }
    at::Tensor inner(const at::Tensor& rows) const { return product(rows.to(a.scalar_type()), a.t()).mul_(scale); }
    // What its logits' gradients are needed in: an adapter's are summed in its own type.
    at::ScalarType gradient_type(const at::Tensor& rows) const {
        const bool narrow = rows.scalar_type() == at::kBFloat16 && !is_adapted() && !trains_adapter();
        return narrow ? at::kBFloat16 : at::toOpMathType(rows.scalar_type());
    }
    // What gradients of logits [rows, vocab] do to the rows, in the rows' dtype.
    at::Tensor back(const at::Tensor& d_logits, at::ScalarType dtype) const {
        at::Tensor d_rows = product(d_logits.to(dtype), weight);
        if (is_adapted()) d_rows.add_(product(product(d_logits, b), a).mul_(scale));
        return d_rows;
    }
};

// rows W^T in the wide type; on a GPU sums of bfloat16 products are not rounded to bfloat16 on their way there.
at::Tensor wide_product(const at::Tensor& rows, const at::Tensor& weight) {
    if (cuda::applies(rows) && rows.scalar_type() == at::kBFloat16 && weight.scalar_type() == at::kBFloat16)
        return at::mm(rows, weight.t(), at::kFloat);
    return product(rows, weight.t()).to(at::toOpMathType(rows.scalar_type()));
}

// Logits of some rows, capped where cap > 0 (in the GPU's kernels: before the cap), and what a softmax makes of them.
struct ChunkLogits {
    at::Tensor logits, lse;
    at::Tensor logprobs;          // [rows] of the targets
    TargetStatistics statistics;  // if asked for

    ChunkLogits(const at::Tensor& rows, const Head& head, const at::Tensor& targets, bool with_statistics)
        : logits(wide_product(rows, head.weight)) {
        if (head.is_adapted()) add_product(logits, head.inner(rows), head.b.t());
        if constexpr (cuda::kBuilt) {
            if (cuda::applies(logits)) {
                const cuda::ChunkEntropy chunk = cuda::cross_entropy(logits, targets, head.cap, with_statistics);
                lse = chunk.lse;
                logprobs = chunk.logprobs;
                if (with_statistics) statistics = {chunk.entropy, chunk.best == targets};
                return;
            }
        }
        if (head.cap > 0) logits.div_(head.cap).tanh_().mul_(head.cap);
        lse = at::logsumexp(logits, {-1}, true);
        const at::Tensor of_targets = logits.gather(1, targets.unsqueeze(1));
        logprobs = (of_targets - lse).squeeze(1);
        if (!with_statistics) return;
        const at::Tensor all = logits - lse;
        statistics = {all.exp().mul_(all).sum(1).neg_(), (of_targets >= logits.amax({1}, true)).squeeze(1)};
    }
    // The gradients of logprobs, times factors [rows] (undefined: 1), by the products before the cap: (onehot of the targets
    // - softmax) * factor. `dtype` is what the GPU's kernel gives them in. The logits are gone after it.
    at::Tensor gradient(const at::Tensor& targets, double cap, const at::Tensor& factors,
                        [[maybe_unused]] at::ScalarType dtype) {
        if constexpr (cuda::kBuilt)
            if (cuda::applies(logits)) return cuda::cross_entropy_backward(logits, targets, lse, cap, factors, dtype);
        at::Tensor slope;
        if (cap > 0) slope = 1 - (logits / cap).square_();
        at::Tensor p = logits.sub_(lse).exp_();
        p.scatter_add_(1, targets.unsqueeze(1), at::full_like(lse, -1));
        if (cap > 0) p.mul_(slope);
        if (factors.defined()) p.mul_(factors.unsqueeze(1));
        return p.neg_();
    }
};

// What head_logprobs() gives, in the wide type; statistics and gradients by h if asked for.
HeadLogprobs by_chunks(const at::Tensor& h, const Head& head, const at::Tensor& targets, bool with_statistics,
                       bool with_direction) {
    const int64_t count = h.size(0), step = chunk_rows(head.weight);
    HeadLogprobs out;
    out.logprobs = at::empty({count}, h.options().dtype(at::toOpMathType(h.scalar_type())));
    if (with_statistics) {
        out.entropy = at::empty_like(out.logprobs);
        out.top1 = at::empty({count}, h.options().dtype(at::kBool));
    }
    if (with_direction) out.direction = at::empty_like(h);
    for (int64_t begin = 0; begin < count; begin += step) {
        throw_if_stopped();
        const int64_t n = std::min(step, count - begin);
        const at::Tensor ids = targets.narrow(0, begin, n);
        ChunkLogits chunk(h.narrow(0, begin, n), head, ids, with_statistics);
        out.logprobs.narrow(0, begin, n).copy_(chunk.logprobs);
        if (with_statistics) {
            out.entropy.narrow(0, begin, n).copy_(chunk.statistics.entropy);
            out.top1.narrow(0, begin, n).copy_(chunk.statistics.top1);
        }
        if (!with_direction) continue;
        const at::Tensor d_logits = chunk.gradient(ids, head.cap, {}, head.gradient_type(h));
        out.direction.narrow(0, begin, n).copy_(head.back(d_logits, h.scalar_type()));
    }
    return out;
}

HeadLogprobs fused(const at::Tensor& h, const Head& head, const at::Tensor& targets, bool with_direction) {
    HeadAddition addition;
    if (head.is_adapted()) addition = {head.inner(h), head.b};
    return head_logprobs(h, head.weight, targets, addition, with_direction);
}

// log softmax(h W^T + scale h A^T B^T)[target] by chunks of rows: full logits exist for one chunk at a time. The softmax is
// not kept: with a frozen head the gradient of h, up to the factor that arrives in backward, is made in forward; else chunks
// are made again.
struct TargetLogprobs : torch::autograd::Function<TargetLogprobs> {
    static at::Tensor forward(AutogradContext* ctx, const at::Tensor& h, const at::Tensor& weight, const at::Tensor& a,
                              const at::Tensor& b, const at::Tensor& targets, double scale, double cap,
                              TargetStatistics* statistics) {
        const Head head{weight, a, b, scale, cap};
        const bool prepare = h.requires_grad() && !weight.requires_grad() && !head.trains_adapter();
        const HeadLogprobs out = head_logprobs_apply(h, weight, cap)
                                     ? fused(h, head, targets, prepare && !head.is_adapted())
                                     : by_chunks(h, head, targets, statistics != nullptr, prepare);
        if (statistics != nullptr) *statistics = {out.entropy, out.top1};
        ctx->save_for_backward({h, weight, a, b, targets, out.direction});
        ctx->saved_data["scale"] = scale;
        ctx->saved_data["cap"] = cap;
        return out.logprobs;
    }

    static variable_list backward(AutogradContext* ctx, const variable_list& gradients) {
        const variable_list saved = ctx->get_saved_variables();
        const at::Tensor &h = saved[0], &weight = saved[1], &targets = saved[4], &direction = saved[5];
        const Head head{weight, saved[2], saved[3], ctx->saved_data["scale"].toDouble(), ctx->saved_data["cap"].toDouble()};
        variable_list out(8);
        if (direction.defined()) {
            out[0] = direction * gradients[0].unsqueeze(1).to(h.scalar_type());
            return out;
        }
        if (ctx->needs_input_grad(0)) out[0] = at::empty_like(h);
        if (weight.requires_grad()) out[1] = at::zeros_like(weight);
        if (head.trains_adapter()) {
            out[2] = at::zeros_like(head.a);
            out[3] = at::zeros_like(head.b);
        }
        const int64_t count = h.size(0), step = chunk_rows(weight);
        for (int64_t begin = 0; begin < count; begin += step) {
            throw_if_stopped();
            const int64_t n = std::min(step, count - begin);
            const at::Tensor rows = h.narrow(0, begin, n), ids = targets.narrow(0, begin, n);
            const at::Tensor d_logits =
                ChunkLogits(rows, head, ids, /*with_statistics=*/false)
                    .gradient(ids, head.cap, gradients[0].narrow(0, begin, n), head.gradient_type(h));
            if (out[0].defined()) out[0].narrow(0, begin, n).copy_(head.back(d_logits, h.scalar_type()));
            if (out[1].defined()) add_product(out[1], d_logits.to(h.scalar_type()).t(), rows);
            if (!out[2].defined()) continue;
            out[2].addmm_(product(d_logits, head.b).t(), rows.to(head.a.scalar_type()), 1, head.scale);
            out[3].addmm_(d_logits.t(), head.inner(rows));
        }
        return out;
    }
};

}  // namespace

at::Tensor target_logprobs(const Decoder& decoder, const at::Tensor& rows, const at::Tensor& targets,
                           TargetStatistics* statistics) {
    const Projection& adapter = decoder.head_adapter();
    const at::Tensor none = at::empty({0}, decoder.head().options());  // a custom node takes no undefined tensors
    const bool adapted = adapter.lora_a.defined();
    return TargetLogprobs::apply(rows, decoder.head(), adapted ? adapter.lora_a : none, adapted ? adapter.lora_b : none,
                                 targets, adapter.lora_scale, decoder.config().logit_cap, statistics);
}

at::Tensor target_logprobs(const Decoder& decoder, const PackedBatch& given, TargetStatistics* statistics) {
    const PackedBatch batch = separate_branches(decoder.config(), given);
    return target_logprobs(decoder, decoder.hidden(batch).index_select(0, batch.target_rows), batch.targets, statistics);
}

}  // namespace craft
