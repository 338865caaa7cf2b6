#include "model/kernels/weight_dots.h"

#include <torch/types.h>

#include <algorithm>

#include "model/kernels/cpu_kernels.h"
#include "model/kernels/nested_scales.h"

namespace craft {

namespace {

// What of a row is multiplied at once: long parts, since memory is fastest in the order of addresses, of which the
// activations' stay in the first cache.
constexpr int64_t kColumns = 2048;
constexpr int64_t kLeastBlock = 64;  // of 4-bit codes that the kernel reads

bool is_power_of_two(int64_t n) {
    return (n & (n - 1)) == 0;
}

}  // namespace

WeightDots::WeightDots(const QuantizedWeight& weight) : weight_(weight), rows_(weight) {
    split_ = weight.kind == Quantization::nf4 && weight.block >= kLeastBlock && weight.block <= kColumns &&
             is_power_of_two(weight.block) && weight.columns % weight.block == 0;
}

void WeightDots::add_nf4(const float* a, int64_t m, int64_t row, int64_t count, int64_t from, int64_t n, float* c,
                         int64_t ldc) const {
    constexpr int64_t kRows = 4;
    const int64_t columns = weight_.columns, blocks = n / weight_.block;
    float scales[kRows * kColumns / kLeastBlock];
    for (int64_t first = row; first < row + count; first += kRows) {
        const int64_t some = std::min(kRows, row + count - first), begin = first * columns + from;
        Nf4Rows rows{
            weight_.codes.const_data_ptr<uint8_t>() + begin / 2, columns, scales, blocks, kNf4Values.data(), weight_.block};
        if (weight_.is_nested()) {
            const NestedScales nested{weight_.scales.const_data_ptr<uint8_t>(),
                                      weight_.nested_scales.const_data_ptr<float>(),
                                      weight_.nested_map.const_data_ptr<float>(), weight_.nested_block, weight_.offset};
            for (int64_t r = 0; r < some; ++r)
                nested.read((begin + r * columns) / weight_.block, blocks, scales + r * blocks);
        } else {
            rows.scales = weight_.scales.const_data_ptr<float>() + begin / weight_.block;
            rows.scale_stride = columns / weight_.block;
        }
        cpu_kernels().add_nf4_dots(a, columns, m, rows, some, n, c + (first - row), ldc);
    }
}

void WeightDots::add(const float* a, int64_t m, int64_t row, int64_t count, float* c, int64_t ldc,
                     std::vector<float>& scratch) const {
    const CpuKernels& kernels = cpu_kernels();
    const int64_t columns = weight_.columns;
    for (int64_t from = 0; from < columns; from += kColumns) {
        const int64_t n = std::min(kColumns, columns - from), begin = row * columns + from;
        if (weight_.kind == Quantization::int8) {
            kernels.add_int8_dots(a + from, columns, m, weight_.codes.const_data_ptr<int8_t>() + begin,
                                  weight_.scales.const_data_ptr<float>() + row, columns, count, n, c, ldc);
        } else if (split_) {
            add_nf4(a + from, m, row, count, from, n, c, ldc);
        } else if (weight_.kind == Quantization::none && weight_.codes.scalar_type() == at::kBFloat16) {
            kernels.add_bfloat16_dots(a + from, columns, m,
                                      static_cast<const uint16_t*>(weight_.codes.const_data_ptr()) + begin, columns, count,
                                      n, c, ldc);
        } else {
            scratch.resize(static_cast<size_t>(count * kColumns));
            for (int64_t r = 0; r < count; ++r) rows_.read(row + r, from, n, scratch.data() + r * kColumns);
            kernels.add_dots(a + from, columns, m, scratch.data(), kColumns, count, n, c, ldc);
        }
    }
}

std::vector<float> split_pairs(const std::vector<float>& a) {
    std::vector<float> split(a.size());
    for (size_t begin = 0; begin < a.size(); begin += 32)
        for (size_t i = 0; i < 16; ++i) {
            split[begin + i] = a[begin + 2 * i];
            split[begin + 16 + i] = a[begin + 2 * i + 1];
        }
    return split;
}

}  // namespace craft
