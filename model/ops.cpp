#include "model/ops.h"

#include <ATen/Parallel.h>
#include <torch/autograd.h>
#include <torch/types.h>

#include "model/cpu_kernels.h"

namespace craft {

namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

at::ScalarType statistics_type(const at::Tensor& x) {
    return x.scalar_type() == at::kDouble ? at::kDouble : at::kFloat;
}

// Float32 rows on the CPU: our own kernels, which touch memory once.
bool is_plain(const at::Tensor& x) {
    return x.is_cpu() && x.scalar_type() == at::kFloat && x.dim() == 2 && x.is_contiguous();
}

template <class F>
void for_rows(const at::Tensor& x, const F& f) {
    const float* const rows = x.const_data_ptr<float>();
    const int64_t width = x.size(1);
    at::parallel_for(0, x.size(0), 32, [&](int64_t begin, int64_t end) {
        for (int64_t i = begin; i < end; ++i) f(i, rows + i * width);
    });
}

struct RmsNorm : torch::autograd::Function<RmsNorm> {
    static at::Tensor forward(AutogradContext* ctx, const at::Tensor& x, const at::Tensor& weight, double eps) {
        const at::Tensor wide = x.to(statistics_type(x));
        const at::Tensor norm = at::linalg_vector_norm(wide, 2, {-1}, true);
        const at::Tensor inverse = norm.square_().div_(static_cast<double>(x.size(-1))).add_(eps).rsqrt_();
        ctx->save_for_backward({x, weight, inverse});
        return (wide * inverse).to(x.scalar_type()).mul_(weight);
    }

    static variable_list backward(AutogradContext* ctx, const variable_list& gradients) {
        const variable_list saved = ctx->get_saved_variables();
        const at::Tensor &x = saved[0], &weight = saved[1], &inverse = saved[2];
        const at::Tensor dy = gradients[0].to(inverse.scalar_type());
        const at::Tensor normed = x.to(inverse.scalar_type()) * inverse;
        at::Tensor d_weight, d_x;
        if (ctx->needs_input_grad(1)) d_weight = (dy * normed).sum(0).to(weight.scalar_type());
        if (ctx->needs_input_grad(0)) {
            const at::Tensor scaled = dy * weight;
            const at::Tensor along = (scaled * normed).mean(-1, true);
            d_x = scaled.addcmul_(normed, along, -1).mul_(inverse).to(x.scalar_type());
        }
        return {d_x, d_weight, {}};
    }
};

struct SwiGlu : torch::autograd::Function<SwiGlu> {
    static at::Tensor forward(AutogradContext* ctx, const at::Tensor& gate_up) {
        ctx->save_for_backward({gate_up});
        const int64_t n = gate_up.size(-1) / 2;
        if (is_plain(gate_up)) {
            at::Tensor y = at::empty({gate_up.size(0), n}, gate_up.options());
            float* const to = y.data_ptr<float>();
            for_rows(gate_up, [&](int64_t i, const float* row) { cpu_kernels().swiglu(row, row + n, n, to + i * n); });
            return y;
        }
        return at::silu(gate_up.narrow(-1, 0, n)).mul_(gate_up.narrow(-1, n, n));
    }

    static variable_list backward(AutogradContext* ctx, const variable_list& gradients) {
        const at::Tensor gate_up = ctx->get_saved_variables()[0], &dy = gradients[0];
        const int64_t n = gate_up.size(-1) / 2;
        if (is_plain(gate_up)) {
            const at::Tensor given = dy.contiguous(), result = at::empty_like(gate_up);
            const float* const d_y = given.const_data_ptr<float>();
            float* const to = result.data_ptr<float>();
            for_rows(gate_up, [&](int64_t i, const float* row) {
                cpu_kernels().swiglu_backward(row, row + n, d_y + i * n, n, to + 2 * i * n, to + (2 * i + 1) * n);
            });
            return {result};
        }
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

at::Tensor rms_norm(const at::Tensor& x, const at::Tensor& weight, double eps) {
    return RmsNorm::apply(x, weight, eps);
}

at::Tensor swiglu(const at::Tensor& gate_up) {
    return SwiGlu::apply(gate_up);
}

}  // namespace craft
