#include "train/optimizer.h"

#include <torch/types.h>

#include <algorithm>

#include "core/error.h"

namespace craft {

AdamW::AdamW(std::vector<std::pair<std::string, at::Tensor>> leaves, const AdamWOptions& options) : options_(options) {
    build(std::move(leaves));
}

AdamW::AdamW(std::vector<std::pair<std::string, at::Tensor>> leaves, const AdamWOptions& options, ProcessGroup& sharded_over)
    : shards_(sharded_over), options_(options) {
    build(std::move(leaves));
}

void AdamW::build(std::vector<std::pair<std::string, at::Tensor>>&& leaves) {
    for (auto& [name, leaf] : leaves) {
        const at::ScalarType wide = leaf.scalar_type() == at::kDouble ? at::kDouble : at::kFloat;
        names_.push_back(name);
        masters_.push_back(own(leaf).to(wide));  // the leaf's own memory where it is wide enough
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

namespace {

double global_norm(const std::vector<at::Tensor>& tensors) {
    return tensors.empty() ? 0 : at::stack(at::_foreach_norm(tensors)).to(at::kDouble).norm().item<double>();
}

}  // namespace

double AdamW::clip(double max_norm) {
    const at::NoGradGuard no_grad;
    std::vector<at::Tensor> defined;
    for (const auto& gradient : gradients_)
        if (gradient.defined()) defined.push_back(gradient);
    const double norm = global_norm(defined);
    if (max_norm > 0 && norm > max_norm) at::_foreach_mul_(defined, max_norm / norm);
    return norm;
}

AdamW::PartNorms AdamW::norms_of(const std::vector<at::Tensor>& part) const {
    const at::NoGradGuard no_grad;
    std::vector<at::Tensor> rest;
    for (size_t i = 0; i < part.size(); ++i) rest.push_back(gradients_[i].defined() ? gradients_[i] - part[i] : -part[i]);
    return {global_norm(part), global_norm(rest)};
}

void AdamW::step(double lr) {
    const at::NoGradGuard no_grad;
    ++steps_;
    for (const bool decayed : {true, false}) {
        std::vector<at::Tensor> weights, gradients, moment1, moment2, steps;
        for (size_t i = 0; i < leaves_.size(); ++i) {
            if ((leaves_[i].dim() >= 2) != decayed || masters_[i].numel() == 0) continue;  // empty: a part of few elements
            weights.push_back(masters_[i]);
            gradients.push_back(gradients_[i].defined() ? own(gradients_[i].contiguous()) : at::zeros_like(masters_[i]));
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

void AdamW::show(const std::vector<at::Tensor>& source) {
    const at::NoGradGuard no_grad;
    if (!shards_) {
        for (size_t i = 0; i < source.size(); ++i)
            if (!source[i].is_alias_of(leaves_[i])) leaves_[i].detach().copy_(source[i]);
        return;
    }
    std::map<at::ScalarType, std::vector<size_t>> by_type;
    for (size_t i = 0; i < source.size(); ++i) by_type[leaves_[i].scalar_type()].push_back(i);
    for (const auto& [type, group] : by_type) {
        std::vector<at::Tensor> parts;
        std::vector<int64_t> numels;
        for (const size_t i : group) {
            parts.push_back(source[i]);
            numels.push_back(leaves_[i].numel());
        }
        shards_->gather(parts, numels, type, [&, which = &group](size_t i, const at::Tensor& whole) {
            leaves_[(*which)[i]].detach().view({-1}).copy_(whole);
        });
    }
}

void AdamW::show_average() {
    show(averages_);
}

void AdamW::show_weights() {
    show(masters_);
}

std::vector<AdamW::Slot> AdamW::slots() const {
    std::vector<Slot> all;
    for (size_t i = 0; i < leaves_.size(); ++i) {
        all.push_back({"weight/" + names_[i], masters_[i], leaves_[i]});
        all.push_back({"moment1/" + names_[i], moment1_[i], leaves_[i]});
        all.push_back({"moment2/" + names_[i], moment2_[i], leaves_[i]});
        if (!averages_.empty()) all.push_back({"average/" + names_[i], averages_[i], leaves_[i]});
    }
    return all;
}

std::vector<std::pair<std::string, at::Tensor>> AdamW::state() const {
    std::vector<std::pair<std::string, at::Tensor>> tensors;
    const std::vector<Slot> all = slots();
    if (!shards_) {
        for (const Slot& slot : all) tensors.emplace_back(slot.name, slot.own);
        return tensors;
    }
    std::vector<at::Tensor> parts;
    std::vector<int64_t> numels;
    at::ScalarType type = at::kFloat;
    for (const Slot& slot : all) {
        parts.push_back(slot.own);
        numels.push_back(slot.leaf.numel());
        type = at::promote_types(type, slot.own.scalar_type());
    }
    shards_->gather(parts, numels, type, [&](size_t i, const at::Tensor& whole) {
        if (shards_->is_first())
            tensors.emplace_back(all[i].name, whole.to(at::kCPU, all[i].own.scalar_type()).view(all[i].leaf.sizes()));
    });
    return tensors;
}

void AdamW::check(const std::map<std::string, at::Tensor>& saved) const {
    for (const Slot& slot : slots()) {
        const auto found = saved.find(slot.name);
        if (found == saved.end()) throw Error("optimiser state", "a tensor '" + slot.name + "'", "none of that name");
        if (found->second.sizes() != slot.leaf.sizes())
            throw Error("optimiser state: '" + slot.name + "'", c10::str("shape ", slot.leaf.sizes()),
                        c10::str("shape ", found->second.sizes()));
    }
}

void AdamW::restore(const std::vector<std::pair<std::string, at::Tensor>>& state, int64_t steps) {
    restore_from_first(ProcessGroup::alone(), state, steps);
}

void AdamW::restore_from_first(ProcessGroup& group, const std::vector<std::pair<std::string, at::Tensor>>& state,
                               int64_t steps) {
    const at::NoGradGuard no_grad;
    const std::map<std::string, at::Tensor> saved(state.begin(), state.end());
    if (group.is_first()) check(saved);
    for (const Slot& slot : slots()) {
        at::Tensor whole;
        if (group.is_first())
            whole = saved.at(slot.name).to(slot.own.options()).contiguous();
        else
            whole = at::empty(slot.leaf.sizes(), slot.own.options());
        group.broadcast(whole);
        at::Tensor(slot.own).copy_(own(whole));
    }
    show_weights();
    steps_ = steps;
    drop_gradients();
}

}  // namespace craft
