#include "model/kernels/packed_weight.h"

#include <ATen/Parallel.h>
#include <torch/types.h>

#include <algorithm>
#include <cstring>
#include <memory>

namespace craft {

namespace {

bool is_the_last_holder(const at::Tensor& tensor) {
    return tensor.use_count() == 1 && tensor.storage().use_count() == 1;
}

// A panel takes the place of its 16 rows.
void pack_in_place(float* weight, int64_t rows, int64_t columns) {
    at::parallel_for(0, rows / kLanes, 1, [&](int64_t begin, int64_t end) {
        const auto size = static_cast<size_t>(kLanes * columns);
        const std::unique_ptr<float[]> held(new float[size]);
        for (int64_t p = begin; p < end; ++p) {
            float* const panel = weight + p * kLanes * columns;
            std::memcpy(held.get(), panel, size * sizeof(float));
            pack_panels(held.get(), kLanes, columns, panel);
        }
    });
}

}  // namespace

PackedWeight pack_weight(const float* weight, int64_t rows, int64_t columns) {
    // Not filled: the threads that pack are the first to touch the pages.
    const std::shared_ptr<float> panels(new float[static_cast<size_t>(padded(rows) * columns)],
                                        std::default_delete<float[]>());
    at::parallel_for(0, padded(rows) / kLanes, 1, [&](int64_t begin, int64_t end) {
        const int64_t first = begin * kLanes, last = std::min(rows, end * kLanes);
        pack_panels(weight + first * columns, last - first, columns, panels.get() + first * columns);
    });
    return {rows, columns, panels};
}

PackedWeight pack_weight(at::Tensor weight) {
    weight = weight.detach().to(at::kCPU, at::kFloat).contiguous();
    const int64_t rows = weight.size(0), columns = weight.size(1);
    if (!is_the_last_holder(weight) || rows % kLanes != 0) return pack_weight(weight.const_data_ptr<float>(), rows, columns);
    auto* const panels = weight.mutable_data_ptr<float>();
    pack_in_place(panels, rows, columns);
    return {rows, columns, std::shared_ptr<const float>(panels, [weight](const float*) {})};
}

}  // namespace craft
