#include "model/kernels/packed_weight.h"

#include <ATen/Parallel.h>
#include <torch/types.h>

#include <algorithm>
#include <cstring>
#include <memory>

#include "model/kernels/bfloat16_products.h"
#include "model/kernels/products.h"

namespace craft {

namespace {

constexpr int64_t kFewRows = 48;

int64_t even_number(int64_t n) {
    return (n + 1) / 2 * 2;
}

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

PackedBfloat16 pack_bfloat16_weight(const at::Tensor& weight) {
    const at::Tensor held = weight.detach().to(at::kCPU, at::kBFloat16).contiguous();
    const int64_t rows = held.size(0), columns = held.size(1), even = even_number(columns);
    const auto* const from = reinterpret_cast<const uint16_t*>(held.const_data_ptr<at::BFloat16>());
    const std::shared_ptr<uint16_t> panels(new uint16_t[static_cast<size_t>(padded(rows) * even)],
                                           std::default_delete<uint16_t[]>());
    at::parallel_for(0, padded(rows) / kLanes, 1, [&](int64_t begin, int64_t end) {
        const int64_t first = begin * kLanes, last = std::min(rows, end * kLanes);
        pack_bfloat16(from + first * columns, columns, /*transposed=*/true, columns, last - first,
                      panels.get() + first * even);
    });
    return {rows, even, panels};
}

std::vector<uint16_t> rounded_rows(const float* x, int64_t m, int64_t columns) {
    const int64_t even = even_number(columns);
    std::vector<uint16_t> rows(static_cast<size_t>(m * even));
    at::parallel_for(0, m, 16, [&](int64_t begin, int64_t end) {
        for (int64_t i = begin; i < end; ++i) round_bfloat16(x + i * columns, columns, rows.data() + i * even);
    });
    return rows;
}

void packed_product(const uint16_t* x, int64_t x_stride, int64_t m, const PackedBfloat16& w, float* c, int64_t c_stride,
                    bool add) {
    // Many rows pass over the panels of a task, which stay in a core's second cache; few leave no more than reading them.
    // Rows are not cut.
    const int64_t most = std::clamp<int64_t>((int64_t{1} << 18) / w.columns / 32 * 32, 2 * kLanes, 8 * kLanes);
    const int64_t width = m <= kFewRows ? 2 * kLanes : even_grid(1, w.rows, most, 0, at::get_num_threads()).width;
    at::parallel_for(0, (w.rows + width - 1) / width, 1, [&](int64_t begin, int64_t end) {
        for (int64_t task = begin; task < end; ++task) {
            const int64_t first = task * width;
            multiply_bfloat16({.a = x,
                               .a_stride = x_stride,
                               .panels = w.panels.get() + first * w.columns,
                               .rows = m,
                               .inner = w.columns,
                               .columns = std::min(width, w.rows - first),
                               .c = c + first,
                               .c_stride = c_stride,
                               .c_is_float = true,
                               .add = add});
        }
    });
}

}  // namespace craft
