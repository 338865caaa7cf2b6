#include "model/decoder/recomputed.h"

#include <torch/autograd.h>
#include <torch/types.h>

namespace craft {

namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;
using Part = std::function<at::Tensor(const at::Tensor&)>;

struct KeptPart : torch::CustomClassHolder {
    explicit KeptPart(Part kept) : part(std::move(kept)) {}
    Part part;
};

struct Recomputed : torch::autograd::Function<Recomputed> {
    // `differentiable` makes the result require gradients where x does not: leaves inside may.
    static at::Tensor forward(AutogradContext* ctx, const at::Tensor& x, const at::Tensor& /*differentiable*/, Part* part) {
        const at::Tensor y = (*part)(x.detach());
        ctx->save_for_backward({x});
        ctx->saved_data["part"] = c10::IValue::make_capsule(c10::make_intrusive<KeptPart>(std::move(*part)));
        return y;
    }

    static variable_list backward(AutogradContext* ctx, const variable_list& gradients) {
        const bool wanted = ctx->needs_input_grad(0);
        const at::Tensor x = ctx->get_saved_variables()[0].detach().requires_grad_(wanted);
        const auto kept = ctx->saved_data.at("part").toCapsule();
        const c10::AutoGradMode with_gradients(true);
        const at::Tensor y = static_cast<const KeptPart&>(*kept).part(x);
        if (y.requires_grad()) torch::autograd::backward({y}, {gradients[0]});
        return {wanted ? x.grad() : at::Tensor(), at::Tensor(), at::Tensor()};
    }
};

}  // namespace

at::Tensor recomputed(const at::Tensor& x, Part f) {
    if (!c10::GradMode::is_enabled()) return f(x);
    return Recomputed::apply(x, at::empty({0}, x.options()).requires_grad_(true), &f);
}

}  // namespace craft
