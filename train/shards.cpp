#include "train/shards.h"

#include <torch/types.h>

#include <algorithm>

namespace craft {

namespace {

constexpr int64_t kBatchElements = int64_t{8} << 20;  // of all ranks together, unless one tensor has more

}  // namespace

at::Tensor Shards::own(const at::Tensor& whole) const {
    const int64_t numel = whole.numel(), begin = std::min(numel, group_.rank() * chunk(numel));
    return whole.detach().view({-1}).narrow(0, begin, std::min(chunk(numel), numel - begin));
}

void Shards::gather(const std::vector<at::Tensor>& parts, const std::vector<int64_t>& numels, at::ScalarType type,
                    const std::function<void(size_t, const at::Tensor&)>& take) const {
    const int64_t ranks = group_.size();
    for (size_t begin = 0, end = 0; begin < parts.size(); begin = end) {
        int64_t width = 0;  // of a rank's row: its part of each tensor, each as wide as the widest
        while (end < parts.size() && (end == begin || (width + chunk(numels[end])) * ranks <= kBatchElements))
            width += chunk(numels[end++]);
        const auto options = parts[begin].options().dtype(type);
        const at::Tensor own = at::zeros({width}, options), all = at::empty({ranks, width}, options);
        int64_t at = 0;
        for (size_t i = begin; i < end; at += chunk(numels[i++])) own.narrow(0, at, parts[i].numel()).copy_(parts[i]);
        group_.gather(own, all);
        at = 0;
        for (size_t i = begin; i < end; at += chunk(numels[i++]))
            take(i, all.narrow(1, at, chunk(numels[i])).reshape({-1}).narrow(0, 0, numels[i]));
    }
}

}  // namespace craft
