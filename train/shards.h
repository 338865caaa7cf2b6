// ZeRO-1: every rank keeps the optimiser's state of a part of each weight only.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <functional>
#include <vector>

#include "train/parallel/process_group.h"

namespace craft {

// Of a tensor's n elements, in their order, rank r has those from r c to (r + 1) c, c = ceil(n / ranks): parts of the last
// ranks may be shorter, or empty.
class Shards {
public:
    explicit Shards(ProcessGroup& group) : group_(group) {}

    bool is_first() const { return group_.is_first(); }
    // This rank's elements of a contiguous tensor, a flat view.
    at::Tensor own(const at::Tensor& whole) const;
    // Hands out the whole of each tensor, flat, made of every rank's part, as `type`: take(i, [numels[i]]). parts[i] is this
    // rank's own of a tensor of numels[i] elements. All ranks call it. Tensors go in batches, which bounds the memory.
    void gather(const std::vector<at::Tensor>& parts, const std::vector<int64_t>& numels, at::ScalarType type,
                const std::function<void(size_t, const at::Tensor&)>& take) const;

private:
    int64_t chunk(int64_t numel) const { return (numel + group_.size() - 1) / group_.size(); }
    ProcessGroup& group_;
};

}  // namespace craft
