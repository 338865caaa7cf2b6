#include "model/kernels/ops.h"

#include <ATen/Parallel.h>
#include <torch/autograd.h>
#include <torch/types.h>

#include <vector>

#include "core/error.h"
#include "model/kernels/cpu_kernels.h"
#include "model/kernels/cuda/ops.h"

namespace craft {

namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

at::ScalarType statistics_type(const at::Tensor& x) {
    return x.scalar_type() == at::kDouble ? at::kDouble : at::kFloat;
}

// Float32 and bfloat16 rows on the CPU: our own kernels, which touch memory once and compute in float32.
bool is_plain(const at::Tensor& x) {
    return x.is_cpu() && (x.scalar_type() == at::kFloat || x.scalar_type() == at::kBFloat16) && x.dim() == 2 &&
           x.is_contiguous();
}

// Float32 rows of a plain matrix; those of a bfloat16 one are copies.
class RowReader {
public:
    explicit RowReader(const at::Tensor& x)
        : values_(x.const_data_ptr()), width_(x.size(-1)), is_wide_(x.scalar_type() == at::kFloat) {
        if (!is_wide_) copy_.resize(static_cast<size_t>(width_));
    }
    const float* row(int64_t i) {
        if (is_wide_) return static_cast<const float*>(values_) + i * width_;
        cpu_kernels().bfloat16_values(static_cast<const uint16_t*>(values_) + i * width_, width_, copy_.data());
        return copy_.data();
    }

private:
    const void* values_;
    int64_t width_;
    bool is_wide_;
    std::vector<float> copy_;
};

// Where a row's float32 values go; keep() rounds them into a bfloat16 matrix.
class RowWriter {
public:
    explicit RowWriter(const at::Tensor& x)
        : values_(x.data_ptr()), width_(x.size(-1)), is_wide_(x.scalar_type() == at::kFloat) {
        if (!is_wide_) copy_.resize(static_cast<size_t>(width_));
    }
    float* row(int64_t i) { return is_wide_ ? static_cast<float*>(values_) + i * width_ : copy_.data(); }
    void keep(int64_t i) {
        if (!is_wide_) cpu_kernels().to_bfloat16(copy_.data(), width_, static_cast<uint16_t*>(values_) + i * width_);
    }
    // What is there so far is rounded as the matrix's dtype has it.
    void round() {
        if (is_wide_) return;
        std::vector<uint16_t> bits(copy_.size());
        cpu_kernels().to_bfloat16(copy_.data(), width_, bits.data());
        cpu_kernels().bfloat16_values(bits.data(), width_, copy_.data());
    }

private:
    void* values_;
    int64_t width_;
    bool is_wide_;
    std::vector<float> copy_;
};

template <class F>
void for_rows(const at::Tensor& x, const F& f) {
    at::parallel_for(0, x.size(0), 32, f);
}

at::Tensor plain_rms_norm(const at::Tensor& x, const at::Tensor& weight, const at::Tensor& inverse, double eps,
                          bool from_one) {
    const at::Tensor y = at::empty_like(x), scale = weight.to(at::kFloat).contiguous();
    float* const factors = inverse.data_ptr<float>();
    for_rows(x, [&](int64_t begin, int64_t end) {
        RowReader in(x);
        RowWriter out(y);
        for (int64_t i = begin; i < end; ++i) {
            factors[i] = cpu_kernels().rms_normalise(in.row(i), x.size(1), static_cast<float>(eps), out.row(i));
            if (!from_one) out.round();  // before the weight, as transformers has it
            cpu_kernels().scale_row(scale.const_data_ptr<float>(), from_one ? 1 : 0, x.size(1), out.row(i));
            out.keep(i);
        }
    });
    return y;
}

at::Tensor plain_rms_backward(const at::Tensor& x, const at::Tensor& weight, const at::Tensor& inverse, bool from_one,
                              const at::Tensor& dy) {
    const at::Tensor d_x = at::empty_like(x), scale = weight.to(at::kFloat).contiguous(), given = dy.contiguous();
    const float* const factors = inverse.const_data_ptr<float>();
    for_rows(x, [&](int64_t begin, int64_t end) {
        RowReader in(x), gradient(given);
        RowWriter out(d_x);
        for (int64_t i = begin; i < end; ++i) {
            cpu_kernels().rms_backward(in.row(i), scale.const_data_ptr<float>(), from_one ? 1 : 0, gradient.row(i),
                                       factors[i], x.size(1), out.row(i));
            out.keep(i);
        }
    });
    return d_x;
}

struct RmsNorm : torch::autograd::Function<RmsNorm> {
    static at::Tensor forward(AutogradContext* ctx, const at::Tensor& x, const at::Tensor& weight, double eps,
                              bool from_one) {
        ctx->saved_data["from_one"] = from_one;
        if (is_plain(x)) {
            const at::Tensor inverse = at::empty({x.size(0), 1}, x.options().dtype(at::kFloat));
            const at::Tensor y = plain_rms_norm(x, weight, inverse, eps, from_one);
            ctx->save_for_backward({x, weight, inverse});
            return y;
        }
        if constexpr (cuda::kBuilt) {
            if (cuda::applies(x)) {
                at::Tensor inverse;
                const at::Tensor y = cuda::rms_norm(x, weight, eps, from_one, inverse);
                ctx->save_for_backward({x, weight, inverse});
                return y;
            }
        }
        const at::Tensor wide = x.to(statistics_type(x));
        const at::Tensor norm = at::linalg_vector_norm(wide, 2, {-1}, true);
        const at::Tensor inverse = norm.square_().div_(static_cast<double>(x.size(-1))).add_(eps).rsqrt_();
        ctx->save_for_backward({x, weight, inverse});
        if (from_one) return (wide * inverse).mul_(weight.to(wide.scalar_type()) + 1).to(x.scalar_type());
        return (wide * inverse).to(x.scalar_type()).mul_(weight);
    }

    static variable_list backward(AutogradContext* ctx, const variable_list& gradients) {
        const variable_list saved = ctx->get_saved_variables();
        const at::Tensor &x = saved[0], &weight = saved[1], &inverse = saved[2];
        if constexpr (cuda::kBuilt)
            if (cuda::applies(x)) return gpu_backward(ctx, x, weight, inverse, gradients[0]);
        if (is_plain(x) && !ctx->needs_input_grad(1))
            return {plain_rms_backward(x, weight, inverse, ctx->saved_data["from_one"].toBool(), gradients[0]), {}, {}, {}};
        const at::Tensor dy = gradients[0].to(inverse.scalar_type());
        const at::Tensor normed = x.to(inverse.scalar_type()) * inverse;
        at::Tensor d_weight, d_x;
        if (ctx->needs_input_grad(1)) d_weight = (dy * normed).reshape({-1, weight.size(0)}).sum(0).to(weight.scalar_type());
        if (ctx->needs_input_grad(0)) {
            const bool from_one = ctx->saved_data["from_one"].toBool();
            const at::Tensor scaled = dy * (from_one ? weight.to(dy.scalar_type()) + 1 : weight);
            const at::Tensor along = (scaled * normed).mean(-1, true);
            d_x = scaled.addcmul_(normed, along, -1).mul_(inverse).to(x.scalar_type());
        }
        return {d_x, d_weight, {}, {}};
    }

private:
    static variable_list gpu_backward(AutogradContext* ctx, const at::Tensor& x, const at::Tensor& weight,
                                      const at::Tensor& inverse, const at::Tensor& dy) {
        variable_list out(4);
        if constexpr (cuda::kBuilt) {
            if (ctx->needs_input_grad(0))
                out[0] = cuda::rms_norm_backward(x, weight, inverse, ctx->saved_data["from_one"].toBool(), dy);
            if (ctx->needs_input_grad(1)) out[1] = cuda::rms_norm_weight_gradient(x, inverse, dy).to(weight.scalar_type());
        }
        return out;
    }
};

struct SwiGlu : torch::autograd::Function<SwiGlu> {
    static at::Tensor forward(AutogradContext* ctx, const at::Tensor& gate_up) {
        ctx->save_for_backward({gate_up});
        const int64_t n = gate_up.size(-1) / 2;
        if (is_plain(gate_up)) {
            const at::Tensor y = at::empty({gate_up.size(0), n}, gate_up.options());
            for_rows(gate_up, [&](int64_t begin, int64_t end) {
                RowReader in(gate_up);
                RowWriter out(y);
                for (int64_t i = begin; i < end; ++i) {
                    const float* const row = in.row(i);
                    cpu_kernels().swiglu(row, row + n, n, out.row(i));
                    out.keep(i);
                }
            });
            return y;
        }
        if constexpr (cuda::kBuilt)
            if (cuda::applies(gate_up)) return cuda::swiglu(gate_up);
        return at::silu(gate_up.narrow(-1, 0, n)).mul_(gate_up.narrow(-1, n, n));
    }

    static variable_list backward(AutogradContext* ctx, const variable_list& gradients) {
        const at::Tensor gate_up = ctx->get_saved_variables()[0], &dy = gradients[0];
        const int64_t n = gate_up.size(-1) / 2;
        if (is_plain(gate_up)) {
            const at::Tensor given = dy.contiguous(), result = at::empty_like(gate_up);
            for_rows(gate_up, [&](int64_t begin, int64_t end) {
                RowReader in(gate_up), gradient(given);
                RowWriter out(result);
                for (int64_t i = begin; i < end; ++i) {
                    const float* const row = in.row(i);
                    float* const to = out.row(i);
                    cpu_kernels().swiglu_backward(row, row + n, gradient.row(i), n, to, to + n);
                    out.keep(i);
                }
            });
            return {result};
        }
        if constexpr (cuda::kBuilt)
            if (cuda::applies(gate_up)) return {cuda::swiglu_backward(gate_up, dy)};
        const at::Tensor gate = gate_up.narrow(-1, 0, n), up = gate_up.narrow(-1, n, n);
        const at::Tensor d = at::empty_like(gate_up);
        at::Tensor d_gate = d.narrow(-1, 0, n), d_up = d.narrow(-1, n, n);
        at::silu_out(d_up, gate);
        d_up.mul_(dy);
        d_gate.copy_(at::silu_backward(dy * up, gate));
        return {d};
    }
};

}  // namespace

at::Tensor rms_norm(const at::Tensor& x, const at::Tensor& weight, double eps, bool from_one) {
    return RmsNorm::apply(x, weight, eps, from_one);
}

at::Tensor normalise(const at::Tensor& x, const Norm& norm, const DecoderConfig& config) {
    if (!norm.weight.defined()) return x;
    if (config.layer_norms) return at::layer_norm(x, {x.size(-1)}, norm.weight, norm.bias, config.rms_norm_eps);
    return rms_norm(x, norm.weight, config.rms_norm_eps, config.norms_from_one);
}

at::Tensor activate(const at::Tensor& x, Activation activation) {
    switch (activation) {
        case Activation::silu:
            return at::silu(x);
        case Activation::gelu:
            return at::gelu(x);
        case Activation::gelu_tanh:
            return at::gelu(x, "tanh");
        case Activation::relu:
            return at::relu(x);
    }
    throw Error("activation", "a known one", std::to_string(static_cast<int>(activation)));
}

at::Tensor feed_forward_activation(const at::Tensor& gate_up, const DecoderConfig& config) {
    if (!config.gated) return activate(gate_up, config.activation);
    if (config.activation == Activation::silu) return swiglu(gate_up);
    const int64_t n = gate_up.size(-1) / 2;
    return activate(gate_up.narrow(-1, 0, n), config.activation) * gate_up.narrow(-1, n, n);
}

at::Tensor swiglu(const at::Tensor& gate_up) {
    return SwiGlu::apply(gate_up);
}

}  // namespace craft
