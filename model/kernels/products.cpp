#include "model/kernels/products.h"

#include <ATen/Parallel.h>
#include <ATen/record_function.h>
#include <torch/types.h>

#include <algorithm>
#include <vector>

#include "model/kernels/bfloat16_products.h"
#include "model/kernels/cpu_kernels.h"

namespace craft {

namespace {

// Of one block of panels, which stays in a core's second cache while all rows pass over it.
constexpr int64_t kColumnsAtOnce = 8 * kLanes, kInnerAtOnce = 512, kPanelsAtOnce = kColumnsAtOnce * kInnerAtOnce;

// A tensor in one of the two orders, copied if it is in neither.
struct Operand {
    at::Tensor held;
    MatrixView view;
    explicit Operand(const at::Tensor& x) : held(x) {
        const bool by_columns = x.stride(0) == 1 && x.size(0) > 1;
        if (x.stride(1) != 1 && !by_columns) held = x.contiguous();
        view.transposed = by_columns && x.stride(1) != 1;
        view.stride = held.stride(view.transposed ? 1 : 0);
        view.data = held.const_data_ptr();
        view.is_bfloat16 = held.scalar_type() == at::kBFloat16;
    }
};

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
                if (count == kLanes)
                    for (int64_t j = 0; j < kLanes; ++j) panels[i * kLanes + j] = value_of(from[i * stride + column + j]);
                else
                    for (int64_t j = 0; j < count; ++j) panels[i * kLanes + j] = value_of(from[i * stride + column + j]);
            continue;
        }
        // By squares: rows are often a power of two apart, and a whole column of them does not fit into the cache's sets.
        int64_t done = 0;
        if constexpr (std::is_same_v<T, float>)
            if (count == kLanes)
                for (; done + kLanes <= inner; done += kLanes)
                    cpu_kernels().transpose(from + column * stride + done, stride, panels + done * kLanes);
        for (int64_t square = done; square < inner; square += kLanes)
            for (int64_t j = 0; j < count; ++j)
                for (int64_t i = square; i < std::min(inner, square + kLanes); ++i)
                    panels[i * kLanes + j] = value_of(from[(column + j) * stride + i]);
    }
}

constexpr int64_t kPackedRows = 24;  // about as long as multiplying this many rows takes packing

// Calls work(row, rows, column, columns) for the blocks of c [rows, columns], over the threads.
template <class F>
void for_blocks(int64_t rows, int64_t columns, int64_t width, const F& work) {
    const BlockGrid grid = even_grid(rows, columns, width, kPackedRows, at::get_num_threads());
    at::parallel_for(0, grid.column_blocks * grid.row_blocks, 1, [&](int64_t begin, int64_t end) {
        for (int64_t task = begin; task < end; ++task) {
            const int64_t column = task / grid.row_blocks * grid.width, row = task % grid.row_blocks * grid.height;
            work(row, std::min(grid.height, rows - row), column, std::min(grid.width, columns - column));
        }
    });
}

void multiply_float(const at::Tensor& left, const at::Tensor& right, const at::Tensor& to, bool add) {
    const Operand a_held(left), b_held(right);
    const MatrixView &a = a_held.view, &b = b_held.view;
    const auto* const a_data = static_cast<const float*>(a.data);
    const int64_t inner = left.size(1), stride = to.stride(0);
    float* const c = to.data_ptr<float>();
    // Each part of a longer inner dimension reads and writes c again: none is left with a few.
    const int64_t parts = inner <= 3 * kInnerAtOnce / 2 ? 1 : (inner + kInnerAtOnce - 1) / kInnerAtOnce;
    const int64_t at_once = (inner + parts - 1) / parts;
    const int64_t width = std::min(kColumnsAtOnce, kPanelsAtOnce / at_once / 32 * 32);
    for_blocks(left.size(0), right.size(1), width, [&](int64_t row, int64_t rows, int64_t column, int64_t columns) {
        thread_local std::vector<float> panels;
        panels.resize(static_cast<size_t>(kPanelsAtOnce));
        for (int64_t i = 0; i < inner; i += at_once) {
            const int64_t length = std::min(at_once, inner - i);
            pack_block(b, i, length, column, columns, panels.data());
            cpu_kernels().multiply({.a = a_data + (a.transposed ? i * a.stride + row : row * a.stride + i),
                                    .a_stride = a.stride,
                                    .a_transposed = a.transposed,
                                    .panels = panels.data(),
                                    .rows = rows,
                                    .inner = length,
                                    .columns = columns,
                                    .c = c + row * stride + column,
                                    .c_stride = stride,
                                    .add = add || i > 0});
        }
    });
}

// Whole rows of panels at once, since their sums are rounded when they are stored: fewer columns where rows are long.
void multiply_bfloat16_tensors(const at::Tensor& left, const at::Tensor& right, const at::Tensor& to, bool add) {
    const at::Tensor a = left.stride(1) == 1 ? left : left.contiguous();
    const Operand b(right);
    const int64_t inner = a.size(1), stride = to.stride(0);
    const int64_t width = std::clamp<int64_t>((int64_t{1} << 18) / inner / 32 * 32, 32, kColumnsAtOnce);
    const auto bits = [](const at::Tensor& x) { return reinterpret_cast<uint16_t*>(x.data_ptr<at::BFloat16>()); };
    for_blocks(a.size(0), right.size(1), width, [&](int64_t row, int64_t rows, int64_t column, int64_t columns) {
        thread_local std::vector<uint16_t> panels;
        panels.resize(static_cast<size_t>(padded(columns) * inner));
        pack_bfloat16(static_cast<const uint16_t*>(b.view.data) + column * (b.view.transposed ? b.view.stride : 1),
                      b.view.stride, b.view.transposed, inner, columns, panels.data());
        multiply_bfloat16({.a = bits(a) + row * a.stride(0),
                           .a_stride = a.stride(0),
                           .panels = panels.data(),
                           .rows = rows,
                           .inner = inner,
                           .columns = columns,
                           .c = bits(to) + row * stride + column,
                           .c_stride = stride,
                           .add = add});
    });
}

// Without instructions for it LibTorch multiplies bfloat16 at a fourth of our float32 rate or less, by scalar loops below
// AVX-512, and on ARM it rounds sums on the way: there float32 sums of the widened elements are rounded once. Where our
// kernels multiply bfloat16 its library is asked for odd lengths alone: with it a training on AMX, whose batches have ever
// other lengths, was seen to take more memory with each step (docs/performance/processors.md).
at::Tensor widened_product(const at::Tensor& a, const at::Tensor& b) {
    const at::Tensor c = at::empty({a.size(0), b.size(1)}, a.options().dtype(at::kFloat));
    multiply_float(a.to(at::kFloat), b, c, false);
    return c;
}

enum class Kind { none, float32, bfloat16, widened };

Kind kind_of(const at::Tensor& a, const at::Tensor& b) {
    if (!a.is_cpu() || a.scalar_type() != b.scalar_type() || a.numel() == 0 || b.numel() == 0) return Kind::none;
    if (a.scalar_type() == at::kFloat) return Kind::float32;
    if (a.scalar_type() != at::kBFloat16) return Kind::none;
    if (!has_bfloat16_products()) return Kind::widened;
    return a.size(1) % 2 == 0 ? Kind::bfloat16 : Kind::none;
}

}  // namespace

void pack_block(const MatrixView& b, int64_t row, int64_t inner, int64_t column, int64_t columns, float* panels) {
    const int64_t first = b.transposed ? column * b.stride + row : row * b.stride + column;
    if (b.is_bfloat16)
        pack_columns(static_cast<const at::BFloat16*>(b.data) + first, b.stride, b.transposed, inner, columns, panels);
    else
        pack_columns(static_cast<const float*>(b.data) + first, b.stride, b.transposed, inner, columns, panels);
}

BlockGrid even_grid(int64_t rows, int64_t columns, int64_t max_width, int64_t packed, int64_t threads) {
    constexpr int64_t kRowUnit = 12, kColumnUnit = 32, kFewestRows = 96;
    const auto share = [](int64_t n, int64_t parts, int64_t unit) { return (n + parts * unit - 1) / (parts * unit) * unit; };
    const auto blocks = [](int64_t n, int64_t size) { return (n + size - 1) / size; };
    const int64_t max_parts = std::max<int64_t>(1, rows / kFewestRows);
    const int64_t fewest = blocks(columns, max_width),
                  most = std::max(fewest, std::min(blocks(columns, kColumnUnit), 4 * threads));
    BlockGrid best;
    int64_t least = 0;
    for (int64_t groups = fewest; groups <= most; ++groups)
        for (int64_t parts = 1; parts <= max_parts && (parts == 1 || groups * parts <= 4 * threads); ++parts) {
            BlockGrid grid{share(rows, parts, kRowUnit), share(columns, groups, kColumnUnit)};
            grid.row_blocks = blocks(rows, grid.height);
            grid.column_blocks = blocks(columns, grid.width);
            const int64_t cost =
                blocks(grid.row_blocks * grid.column_blocks, threads) * grid.width * (std::min(rows, grid.height) + packed);
            if (best.width > 0 && cost >= least) continue;
            best = grid;
            least = cost;
        }
    return best;
}

bool product_is_ours(const at::Tensor& a, const at::Tensor& b) {
    return kind_of(a, b) != Kind::none;
}

at::Tensor product(const at::Tensor& a, const at::Tensor& b) {
    const Kind kind = kind_of(a, b);
    if (kind == Kind::none) return at::mm(a, b);
    if (kind == Kind::bfloat16 && a.stride(1) != 1) {
        // The kernel reads rows: the smaller side is copied.
        if (std::min(a.size(0), b.size(1)) * 8 > b.size(1) + a.size(0)) return at::mm(a, b);
        if (b.size(1) < a.size(0)) return product(b.t(), a.t()).t();
    }
    RECORD_FUNCTION("craft::product", std::vector<c10::IValue>({a, b}));
    if (kind == Kind::widened) return widened_product(a, b).to(at::kBFloat16);
    const at::Tensor c = at::empty({a.size(0), b.size(1)}, a.options());
    (kind == Kind::float32 ? multiply_float : multiply_bfloat16_tensors)(a, b, c, false);
    return c;
}

void add_product(const at::Tensor& c, const at::Tensor& a, const at::Tensor& b) {
    const Kind kind = c.scalar_type() == a.scalar_type() && c.stride(1) == 1 ? kind_of(a, b) : Kind::none;
    if (kind == Kind::none)
        c.addmm_(a, b);
    else if (kind == Kind::widened)
        c.copy_(widened_product(a, b).add_(c));
    else
        (kind == Kind::float32 ? multiply_float : multiply_bfloat16_tensors)(a, b, c, true);
}

}  // namespace craft
