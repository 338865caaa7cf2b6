#include "model/decoder/linear.h"

#include <torch/autograd.h>
#include <torch/types.h>

#include <algorithm>
#include <array>

#include "core/rng.h"
#include "model/kernels/products.h"

namespace craft {

namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

constexpr size_t kMaxProjections = 3;  // q, k, v

// Dropout of one projection's input.
struct Dropout {
    double p = 0;
    at::Tensor keys;  // undefined: off
    uint64_t stream = 0;

    at::Tensor operator()(const at::Tensor& x) const { return keys.defined() ? dropped(x, p, keys, stream) : x; }
};

// W + scale B A, float32 sums, in W's dtype; W itself where no projection has an adapter.
at::Tensor with_adapters(const at::Tensor& weight, const std::vector<Projection>& projections) {
    at::Tensor merged = weight.detach();
    bool copied = false;
    for (const Projection& part : projections) {
        if (!part.lora_a.defined()) continue;
        if (!copied) merged = merged.clone();
        copied = true;
        const at::Tensor delta = part.lora_product().detach();
        at::Tensor rows = merged.narrow(0, part.first, part.rows);
        rows.copy_(rows.to(delta.scalar_type()).add_(delta));
    }
    return merged;
}

at::Tensor values_of(const std::vector<QuantizedWeight>& parts, at::ScalarType dtype) {
    if (parts.size() == 1) return parts.front().values(dtype);
    int64_t rows = 0;
    for (const QuantizedWeight& part : parts) rows += part.rows;
    at::Tensor whole = at::empty({rows, parts.front().columns}, parts.front().codes.options().dtype(dtype));
    rows = 0;
    for (const QuantizedWeight& part : parts) {
        part.write_values(whole.narrow(0, rows, part.rows));
        rows += part.rows;
    }
    return whole;
}

// What backward makes a quantised weight of again.
struct KeptParts : torch::CustomClassHolder {
    explicit KeptParts(std::vector<QuantizedWeight> quantized) : parts(std::move(quantized)) {}
    std::vector<QuantizedWeight> parts;
};

// Adding the adapters to the weight makes one product of three, where the sum keeps the adapter's precision, takes no more
// memory than the input, and no mask comes between.
bool adds_adapters_first(const at::Tensor& x, const at::Tensor& weight, bool has_dropout) {
    return !has_dropout && x.scalar_type() != at::kBFloat16 && x.scalar_type() != at::kHalf && !weight.requires_grad() &&
           weight.numel() <= x.numel();
}

// Without masks several adapters of one input are computed as one, their A's below each other, so that input and its
// gradient pass through memory once. On the CPU in float32 and bfloat16 they stay apart: there these are products of our
// own, whose rounding results rest on, and memory is not what they wait for.
bool computes_together(const at::Tensor& x, bool has_dropout, const std::array<at::Tensor, kMaxProjections>& as) {
    const auto adapters = std::count_if(as.begin(), as.end(), [](const at::Tensor& a) { return a.numel() > 0; });
    return adapters > 1 && !has_dropout && !(x.is_cpu() && x.scalar_type() != at::kDouble);
}

// a^T b of two inputs by token: the gradient of an adapter's weight. On a GPU a sum of bfloat16 products over thousands of
// tokens stays in float32, as the adapter is, on its way there.
at::Tensor sum_over_tokens(const at::Tensor& a, const at::Tensor& b) {
    if (a.is_cuda() && a.scalar_type() == at::kBFloat16) return at::mm(a.t(), b, at::kFloat);
    return product(a.t(), b);
}

// One node for the whole projection group: autograd's own graph would hold and add a full-size tensor for every LoRA delta.
struct LinearFunction : torch::autograd::Function<LinearFunction> {
    static at::Tensor forward(AutogradContext* ctx, const at::Tensor& x, const at::Tensor& weight, const at::Tensor& a0,
                              const at::Tensor& b0, const at::Tensor& a1, const at::Tensor& b1, const at::Tensor& a2,
                              const at::Tensor& b2, const Linear* linear, const at::Tensor* dropout_keys) {
        const std::array<at::Tensor, kMaxProjections> as{a0, a1, a2}, bs{b0, b1, b2};
        const bool has_dropout = dropout_keys->defined() && linear->lora_dropout > 0;
        const at::Tensor keys = has_dropout ? *dropout_keys : at::Tensor();
        const bool quantized = !linear->quantized.empty();
        const bool added = !quantized && adds_adapters_first(x, weight, has_dropout);
        const at::Tensor used = added       ? with_adapters(weight, linear->projections)
                                : quantized ? values_of(linear->quantized, x.scalar_type())
                                            : weight;
        at::Tensor y = product(x, used.t());
        // A frozen weight without adapters gives its input a gradient without knowing it.
        const bool learns = weight.requires_grad() || a0.numel() > 0 || a1.numel() > 0 || a2.numel() > 0;
        variable_list saved{learns ? x : at::Tensor(), quantized ? at::Tensor() : used};
        if (quantized)
            ctx->saved_data["quantized"] = c10::IValue::make_capsule(c10::make_intrusive<KeptParts>(linear->quantized));
        at::Tensor stacked, inners;  // all A's [sum of ranks, in], and x of them
        if (!added && computes_together(x, has_dropout, as)) {
            std::vector<at::Tensor> present;
            for (const at::Tensor& a : as)
                if (a.numel() > 0) present.push_back(a);
            stacked = at::cat(present).to(x.scalar_type());
            inners = product(x, stacked.t());
        }
        int64_t rank = 0;  // of the adapters before
        std::vector<int64_t> firsts, rows, streams;
        std::vector<double> scales;
        for (size_t i = 0; i < linear->projections.size(); ++i) {
            const Projection& part = linear->projections[i];
            firsts.push_back(part.first);
            rows.push_back(part.rows);
            scales.push_back(part.lora_scale);
            const Dropout dropout{linear->lora_dropout, keys, has_dropout ? stable_hash(part.name) : 0};
            streams.push_back(static_cast<int64_t>(dropout.stream));
            at::Tensor a, b, inner;
            if (as[i].numel() > 0) {
                a = stacked.defined() ? stacked.narrow(0, rank, as[i].size(0)) : as[i].to(x.scalar_type());
                b = bs[i].to(x.scalar_type());
                if (!added) {
                    inner = inners.defined() ? inners.narrow(1, rank, a.size(0)) : product(dropout(x), a.t());
                    add_product(y.narrow(1, part.first, part.rows), inner * part.lora_scale, b.t());
                }
                rank += a.size(0);
            }
            saved.insert(saved.end(), {a, b, inner});
        }
        saved.insert(saved.end(), {stacked, keys});
        ctx->save_for_backward(saved);
        ctx->saved_data["firsts"] = firsts;
        ctx->saved_data["rows"] = rows;
        ctx->saved_data["scales"] = scales;
        ctx->saved_data["streams"] = streams;
        ctx->saved_data["dropout"] = linear->lora_dropout;
        ctx->saved_data["added"] = added;
        ctx->saved_data["weight_gradient"] = weight.requires_grad();
        return y;
    }

    static at::Tensor kept_values(const AutogradContext& ctx, at::ScalarType dtype) {
        const auto kept = ctx.saved_data.at("quantized").toCapsule();
        return values_of(static_cast<const KeptParts&>(*kept).parts, dtype);
    }

    static variable_list backward(AutogradContext* ctx, const variable_list& gradients) {
        const variable_list saved = ctx->get_saved_variables();
        const at::Tensor &x = saved[0], &used = saved[1];
        const at::Tensor dy = gradients[0].contiguous();
        const auto scales = ctx->saved_data["scales"].toDoubleVector();
        const bool added = ctx->saved_data["added"].toBool();
        const auto firsts = ctx->saved_data["firsts"].toIntVector(), rows = ctx->saved_data["rows"].toIntVector();
        variable_list out(2 + 2 * kMaxProjections + 2);
        at::Tensor dx;
        if (ctx->needs_input_grad(0)) dx = product(dy, used.defined() ? used : kept_values(*ctx, dy.scalar_type()));
        if (ctx->saved_data["weight_gradient"].toBool()) out[1] = product(dy.t(), x);
        const at::Tensor &stacked = saved[saved.size() - 2], &keys = saved.back();
        const auto streams = ctx->saved_data["streams"].toIntVector();
        std::vector<at::Tensor> d_inners;  // with it
        for (size_t i = 0; i < firsts.size(); ++i) {
            const at::Tensor &a = saved[2 + 3 * i], &b = saved[3 + 3 * i];
            if (!a.defined()) continue;
            const Dropout dropout{ctx->saved_data["dropout"].toDouble(), keys, static_cast<uint64_t>(streams[i])};
            const at::Tensor inner = added ? product(x, a.t()) : saved[4 + 3 * i];
            const double scale = scales[i];
            const at::Tensor dy_part = dy.narrow(1, firsts[i], rows[i]);
            const at::Tensor d_inner = product(dy_part, b).mul_(scale);
            out[3 + 2 * i] = sum_over_tokens(dy_part, inner).mul_(scale);
            if (stacked.defined()) {
                d_inners.push_back(d_inner);
                continue;
            }
            out[2 + 2 * i] = sum_over_tokens(d_inner, dropout(x));
            if (!dx.defined() || added) continue;
            if (keys.defined())
                dx.add_(dropout(product(d_inner, a)));
            else
                add_product(dx, d_inner, a);
        }
        if (stacked.defined()) {
            const at::Tensor d_inner = at::cat(d_inners, 1), d_stacked = sum_over_tokens(d_inner, x);
            if (dx.defined()) add_product(dx, d_inner, stacked);
            for (size_t i = 0, rank = 0; i < firsts.size(); ++i) {
                const at::Tensor& a = saved[2 + 3 * i];
                if (!a.defined()) continue;
                out[2 + 2 * i] = d_stacked.narrow(0, static_cast<int64_t>(rank), a.size(0));
                rank += static_cast<size_t>(a.size(0));
            }
        }
        out[0] = dx;
        return out;
    }
};

}  // namespace

at::Tensor Projection::lora_product() const {
    return at::mm(lora_b, lora_a) * lora_scale;
}

at::Tensor Linear::forward(const at::Tensor& x, const at::Tensor& dropout_keys) const {
    TORCH_CHECK(projections.size() <= kMaxProjections, "a Linear holds at most three projections");
    std::array<at::Tensor, 2 * kMaxProjections> lora;
    const at::Tensor none = at::empty({0}, x.options());  // a custom node takes no undefined tensors
    lora.fill(none);
    for (size_t i = 0; i < projections.size(); ++i) {
        if (!projections[i].lora_a.defined()) continue;
        lora[2 * i] = projections[i].lora_a;
        lora[2 * i + 1] = projections[i].lora_b;
    }
    const at::Tensor y = LinearFunction::apply(x, quantized.empty() ? weight : none, lora[0], lora[1], lora[2], lora[3],
                                               lora[4], lora[5], this, &dropout_keys);
    return bias.defined() ? y + bias : y;
}

at::Tensor Linear::base_weight(at::ScalarType dtype) const {
    return quantized.empty() ? weight.to(dtype) : values_of(quantized, dtype);
}

at::Tensor Linear::merged_weight(at::ScalarType dtype) const {
    return with_adapters(base_weight(dtype), projections);
}

}  // namespace craft
