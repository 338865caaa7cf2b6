#include "model/products.h"

#include <ATen/Parallel.h>
#include <torch/types.h>

#include <algorithm>
#include <vector>

#include "model/cpu_kernels.h"

namespace craft {

namespace {

// Of one block of panels, which stays in a core's second cache while all rows pass over it.
constexpr int64_t kColumnsAtOnce = 8 * kLanes, kInnerAtOnce = 512;

// A float32 tensor in one of the two orders, copied if it is in neither.
struct Operand {
    at::Tensor held;
    MatrixView view;
    explicit Operand(const at::Tensor& x) : held(x) {
        const bool by_columns = x.stride(0) == 1 && x.size(0) > 1;
        if (x.stride(1) != 1 && !by_columns) held = x.contiguous();
        view.transposed = by_columns && x.stride(1) != 1;
        view.stride = held.stride(view.transposed ? 1 : 0);
        view.data = held.const_data_ptr<float>();
    }
};

bool is_ours(const at::Tensor& a, const at::Tensor& b) {
    return a.is_cpu() && a.scalar_type() == at::kFloat && b.scalar_type() == at::kFloat;
}

float value_of(float x) {
    return x;
}
float value_of(at::BFloat16 x) {
    return static_cast<float>(x);
}

template <class T>
void pack_columns(const T* from, int64_t stride, bool transposed, int64_t inner, int64_t columns, float* panels) {
    for (int64_t column = 0; column < columns; column += kLanes, panels += inner * kLanes) {
        const int64_t count = std::min(kLanes, columns - column);
        if (count < kLanes) std::fill_n(panels, inner * kLanes, 0.0F);
        if (!transposed) {
            for (int64_t i = 0; i < inner; ++i)
                for (int64_t j = 0; j < count; ++j) panels[i * kLanes + j] = value_of(from[i * stride + column + j]);
            continue;
        }
        // By squares: rows are often a power of two apart, and a whole column of them does not fit into the cache's sets.
        for (int64_t square = 0; square < inner; square += kLanes)
            for (int64_t j = 0; j < count; ++j)
                for (int64_t i = square; i < std::min(inner, square + kLanes); ++i)
                    panels[i * kLanes + j] = value_of(from[(column + j) * stride + i]);
    }
}

void multiply(const at::Tensor& left, const at::Tensor& right, const at::Tensor& to, bool add) {
    const Operand a_held(left), b_held(right);
    const MatrixView &a = a_held.view, &b = b_held.view;
    const auto* const a_data = static_cast<const float*>(a.data);
    const int64_t rows = left.size(0), inner = left.size(1), columns = right.size(1), stride = to.stride(0);
    float* const c = to.data_ptr<float>();
    const int64_t groups = (columns + kColumnsAtOnce - 1) / kColumnsAtOnce;
    // Few columns: rows are shared out, too.
    const int64_t parts = std::clamp<int64_t>(4 * at::get_num_threads() / std::max<int64_t>(1, groups), 1, (rows + 95) / 96);
    const int64_t part_rows = (rows + parts - 1) / parts;
    at::parallel_for(0, groups * parts, 1, [&](int64_t begin, int64_t end) {
        std::vector<float> panels(static_cast<size_t>(kColumnsAtOnce * std::min(inner, kInnerAtOnce)));
        for (int64_t task = begin; task < end; ++task) {
            const int64_t column = task / parts * kColumnsAtOnce, row = task % parts * part_rows;
            const int64_t width = std::min(kColumnsAtOnce, columns - column), height = std::min(part_rows, rows - row);
            if (height <= 0) continue;
            for (int64_t i = 0; i < inner; i += kInnerAtOnce) {
                const int64_t length = std::min(kInnerAtOnce, inner - i);
                pack_block(b, i, length, column, width, panels.data());
                cpu_kernels().multiply({.a = a_data + (a.transposed ? i * a.stride + row : row * a.stride + i),
                                        .a_stride = a.stride,
                                        .a_transposed = a.transposed,
                                        .panels = panels.data(),
                                        .rows = height,
                                        .inner = length,
                                        .columns = width,
                                        .c = c + row * stride + column,
                                        .c_stride = stride,
                                        .add = add || i > 0});
            }
        }
    });
}

}  // namespace

void pack_block(const MatrixView& b, int64_t row, int64_t inner, int64_t column, int64_t columns, float* panels) {
    const int64_t first = b.transposed ? column * b.stride + row : row * b.stride + column;
    if (b.is_bfloat16)
        pack_columns(static_cast<const at::BFloat16*>(b.data) + first, b.stride, b.transposed, inner, columns, panels);
    else
        pack_columns(static_cast<const float*>(b.data) + first, b.stride, b.transposed, inner, columns, panels);
}

at::Tensor product(const at::Tensor& a, const at::Tensor& b) {
    if (!is_ours(a, b)) return at::mm(a, b);
    at::Tensor c = at::empty({a.size(0), b.size(1)}, a.options());
    if (a.size(1) == 0) return c.zero_();
    multiply(a, b, c, false);
    return c;
}

void add_product(const at::Tensor& c, const at::Tensor& a, const at::Tensor& b) {
    if (is_ours(a, b) && c.scalar_type() == at::kFloat && c.stride(1) == 1)
        multiply(a, b, c, true);
    else
        c.addmm_(a, b);
}

}  // namespace craft
