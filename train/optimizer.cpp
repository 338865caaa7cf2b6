#include "train/optimizer.h"

#include <torch/types.h>

#include <algorithm>
#include <map>

#include "core/error.h"

namespace craft {

AdamW::AdamW(std::vector<std::pair<std::string, at::Tensor>> leaves, const AdamWOptions& options) : options_(options) {
    for (auto& [name, leaf] : leaves) {
        const at::ScalarType wide = leaf.scalar_type() == at::kDouble ? at::kDouble : at::kFloat;
        names_.push_back(name);
        masters_.push_back(leaf.detach().to(wide));  // the leaf's own memory where it is wide enough
        moment1_.push_back(at::zeros_like(masters_.back()));
        moment2_.push_back(at::zeros_like(masters_.back()));
        if (options_.average > 0) {
            averages_.push_back(masters_.back().clone());
            if (masters_.back().is_alias_of(leaf)) masters_.back() = masters_.back().clone();  // the leaf shows either
        }
        leaves_.push_back(std::move(leaf));
    }
    gradients_.resize(leaves_.size());
}

void AdamW::collect_gradients() {
    const at::NoGradGuard no_grad;
    for (size_t i = 0; i < leaves_.size(); ++i) {
        at::Tensor& gradient = leaves_[i].mutable_grad();
        if (!gradient.defined()) continue;
        if (gradients_[i].defined())
            gradients_[i].add_(gradient);
        else
            gradients_[i] = gradient.detach().to(masters_[i].scalar_type());
        gradient = at::Tensor();
    }
}

void AdamW::drop_gradients() {
    for (auto& leaf : leaves_) leaf.mutable_grad() = at::Tensor();
    for (auto& gradient : gradients_) gradient = at::Tensor();
}

double AdamW::clip(double max_norm) {
    const at::NoGradGuard no_grad;
    std::vector<at::Tensor> defined;
    for (const auto& gradient : gradients_)
        if (gradient.defined()) defined.push_back(gradient);
    if (defined.empty()) return 0;
    const double norm = at::stack(at::_foreach_norm(defined)).to(at::kDouble).norm().item<double>();
    if (max_norm > 0 && norm > max_norm) at::_foreach_mul_(defined, max_norm / norm);
    return norm;
}

void AdamW::step(double lr) {
    const at::NoGradGuard no_grad;
    ++steps_;
    for (const bool decayed : {true, false}) {
        std::vector<at::Tensor> weights, gradients, moment1, moment2, steps;
        for (size_t i = 0; i < leaves_.size(); ++i) {
            if ((leaves_[i].dim() >= 2) != decayed) continue;
            weights.push_back(masters_[i]);
            gradients.push_back(gradients_[i].defined() ? gradients_[i].contiguous() : at::zeros_like(masters_[i]));
            moment1.push_back(moment1_[i]);
            moment2.push_back(moment2_[i]);
            steps.push_back(at::full({}, static_cast<double>(steps_), masters_[i].options().dtype(at::kFloat)));
        }
        if (weights.empty()) continue;
        at::_fused_adamw_(weights, gradients, moment1, moment2, {}, steps, lr, options_.beta1, options_.beta2,
                          decayed ? options_.weight_decay : 0, options_.epsilon, /*amsgrad=*/false, /*maximize=*/false);
    }
    if (!averages_.empty()) {
        const auto t = static_cast<double>(steps_);
        at::_foreach_lerp_(averages_, masters_, 1 - std::min(options_.average, (1 + t) / (10 + t)));
    }
    show_weights();
    drop_gradients();
}

void AdamW::show_average() {
    const at::NoGradGuard no_grad;
    for (size_t i = 0; i < averages_.size(); ++i) leaves_[i].detach().copy_(averages_[i]);
}

void AdamW::show_weights() {
    const at::NoGradGuard no_grad;
    for (size_t i = 0; i < leaves_.size(); ++i)
        if (!masters_[i].is_alias_of(leaves_[i])) leaves_[i].detach().copy_(masters_[i]);
}

std::vector<std::pair<std::string, at::Tensor>> AdamW::state() const {
    std::vector<std::pair<std::string, at::Tensor>> tensors;
    for (size_t i = 0; i < leaves_.size(); ++i) {
        tensors.emplace_back("weight/" + names_[i], masters_[i]);
        tensors.emplace_back("moment1/" + names_[i], moment1_[i]);
        tensors.emplace_back("moment2/" + names_[i], moment2_[i]);
        if (!averages_.empty()) tensors.emplace_back("average/" + names_[i], averages_[i]);
    }
    return tensors;
}

void AdamW::restore(const std::vector<std::pair<std::string, at::Tensor>>& state, int64_t steps) {
    const at::NoGradGuard no_grad;
    const std::map<std::string, at::Tensor> saved(state.begin(), state.end());
    for (const auto& [name, tensor] : this->state()) {
        const auto found = saved.find(name);
        if (found == saved.end()) throw Error("optimiser state", "a tensor '" + name + "'", "none of that name");
        if (found->second.sizes() != tensor.sizes())
            throw Error("optimiser state: '" + name + "'", c10::str("shape ", tensor.sizes()),
                        c10::str("shape ", found->second.sizes()));
    }
    for (auto& [name, tensor] : this->state()) tensor.copy_(saved.at(name));
    show_weights();
    steps_ = steps;
    drop_gradients();
}

}  // namespace craft
