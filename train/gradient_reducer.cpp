#include "train/gradient_reducer.h"

#include <torch/autograd.h>
#include <torch/csrc/autograd/function_hook.h>
#include <torch/types.h>

#include <memory>

#include "core/error.h"

namespace craft {

namespace {

at::ScalarType wide_type(const at::Tensor& leaf) {
    return leaf.scalar_type() == at::kDouble ? at::kDouble : at::kFloat;
}

}  // namespace

struct GradientReducer::Hook : torch::autograd::PostAccumulateGradHook {
    GradientReducer& reducer;
    size_t leaf;
    Hook(GradientReducer& of, size_t which) : reducer(of), leaf(which) {}
    void operator()(const at::Tensor&) override {
        if (reducer.watching_) reducer.take(leaf);
    }
};

GradientReducer::GradientReducer(ProcessGroup& group, std::vector<at::Tensor> leaves, int64_t bucket_bytes)
    : group_(group),
      leaves_(std::move(leaves)),
      buffers_(leaves_.size()),
      bucket_of_(leaves_.size()),
      taken_(leaves_.size()) {
    for (size_t end = leaves_.size(); end > 0;) {
        size_t begin = end;
        int64_t bytes = 0;
        const at::Tensor& last = leaves_[end - 1];
        while (begin > 0 && wide_type(leaves_[begin - 1]) == wide_type(last) &&
               leaves_[begin - 1].device() == last.device() && (begin == end || bytes < bucket_bytes))
            bytes += leaves_[--begin].numel() * static_cast<int64_t>(c10::elementSize(wide_type(last)));
        place(begin, end);
        end = begin;
    }
    for (size_t i = 0; i < leaves_.size(); ++i)
        torch::autograd::impl::set_post_acc_grad_hooks(leaves_[i], std::make_unique<Hook>(*this, i));
}

GradientReducer::~GradientReducer() {
    for (const auto& leaf : leaves_) torch::autograd::impl::set_post_acc_grad_hooks(leaf, nullptr);
}

// A bucket of the leaves [begin, end).
void GradientReducer::place(size_t begin, size_t end) {
    int64_t numel = 0;
    for (size_t i = begin; i < end; ++i) numel += leaves_[i].numel();
    const at::Tensor flat =
        at::zeros({numel}, leaves_[begin].options().dtype(wide_type(leaves_[begin])).requires_grad(false));
    int64_t at = 0;
    for (size_t i = begin; i < end; ++i) {
        buffers_[i] = flat.narrow(0, at, leaves_[i].numel()).view(leaves_[i].sizes());
        bucket_of_[i] = buckets_.size();
        at += leaves_[i].numel();
    }
    buckets_.push_back({.flat = flat, .leaves = end - begin});
}

void GradientReducer::begin() {
    for (auto& bucket : buckets_) {
        if (bucket.wait) std::exchange(bucket.wait, nullptr)();  // of a step that was given up
        bucket.flat.zero_();
        bucket.missing = bucket.leaves;
    }
    taken_.assign(leaves_.size(), false);
    started_ = 0;
    watching_ = false;
}

void GradientReducer::watch_backward() {
    watching_ = true;
}

void GradientReducer::take(size_t leaf) {
    const at::NoGradGuard no_grad;
    if (taken_[leaf])
        throw Error("gradients", "one of each weight in a backward pass", "two of weight " + std::to_string(leaf));
    taken_[leaf] = true;
    at::Tensor& gradient = leaves_[leaf].mutable_grad();
    buffers_[leaf].add_(gradient);
    gradient = at::Tensor();
    --buckets_[bucket_of_[leaf]].missing;
    while (started_ < buckets_.size() && buckets_[started_].missing == 0) start_next();
}

void GradientReducer::start_next() {
    Bucket& bucket = buckets_[started_++];
    bucket.wait = group_.start_sum(bucket.flat);
}

void GradientReducer::finish() {
    watching_ = false;
    while (started_ < buckets_.size()) start_next();
    for (auto& bucket : buckets_) std::exchange(bucket.wait, nullptr)();
}

}  // namespace craft
