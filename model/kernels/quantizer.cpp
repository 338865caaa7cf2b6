#include "model/kernels/quantizer.h"

#include <ATen/Parallel.h>
#include <torch/types.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/error.h"
#include "model/kernels/cpu_kernels.h"

namespace craft {

namespace {

constexpr int64_t kBlock = 64, kNestedBlock = 256;

// The floats halfway between neighbours of a rising table: those above belong to the upper one.
std::vector<float> bounds_of(const float* map, size_t count) {
    std::vector<float> bounds;
    for (size_t i = 0; i + 1 < count; ++i) bounds.push_back((map[i] + map[i + 1]) / 2);
    return bounds;
}

// A run of a weight's elements as float32, in rows; `weight` may be transposed or of another dtype.
at::Tensor float_rows(const at::Tensor& weight, int64_t begin, int64_t end) {
    return weight.narrow(0, begin, end - begin).to(at::kFloat).contiguous();
}

[[noreturn]] void not_finite(const std::string& where) {
    throw Error(where, "finite weights", "others", "the model is broken");
}

void quantize_rows(const at::Tensor& weight, QuantizedWeight& out, const std::string& where) {
    out.codes = at::empty({out.rows, out.columns}, at::kChar);
    out.scales = at::empty({out.rows}, at::kFloat);
    auto* const codes = out.codes.mutable_data_ptr<int8_t>();
    auto* const scales = out.scales.mutable_data_ptr<float>();
    at::parallel_for(0, out.rows, 64, [&](int64_t first, int64_t last) {
        for (int64_t begin = first; begin < last; begin += 64) {
            const int64_t end = std::min(last, begin + 64);
            const at::Tensor part = float_rows(weight, begin, end);
            for (int64_t row = begin; row < end; ++row) {
                const float* const values = part.const_data_ptr<float>() + (row - begin) * out.columns;
                const float largest = cpu_kernels().largest_magnitude(values, out.columns);
                // Rows that are not finite are refused below; the inverse of so small ones would not be finite.
                const bool is_usable = std::isfinite(largest) && largest > 1e-36F;
                scales[row] = is_usable || !std::isfinite(largest) ? largest / 127 : 0;
                const float inverse = 127 / largest;
                if (!is_usable) {
                    std::fill_n(codes + row * out.columns, out.columns, int8_t{0});
                    continue;
                }
                cpu_kernels().int8_codes(values, inverse, out.columns, codes + row * out.columns);
            }
        }
    });
    if (!at::isfinite(out.scales).all().item<bool>()) not_finite(where);
}

// A whole block, or the part of one at the end: as bitsandbytes, which multiplies the former by the inverse and divides the
// latter.
void quantize_block(const float* values, int64_t count, const std::vector<float>& bounds, uint8_t* codes, float& scale) {
    const CpuKernels& kernels = cpu_kernels();
    scale = kernels.largest_magnitude(values, count);
    if (count == kBlock) return kernels.nf4_codes(values, 1.0F / std::max(scale, 1e-38F), bounds.data(), count, codes);
    scale = std::max(scale, 1e-38F);
    float scaled[kBlock] = {};  // after an odd last element bitsandbytes pads with 0
    for (int64_t i = 0; i < count; ++i) scaled[i] = values[i] / scale;
    kernels.nf4_codes(scaled, 1, bounds.data(), count + count % 2, codes);
}

// bitsandbytes on the CPU: codes of a grid of 65536 places between -1 and 1, the place that a value is nearest to.
std::vector<uint8_t> dynamic_codes_of_grid(const at::Tensor& map) {
    const std::vector<float> bounds = bounds_of(map.const_data_ptr<float>(), 256);
    std::vector<uint8_t> codes;
    for (int i = 0; i < 65536; ++i) {
        const auto place = static_cast<float>(i * (2.0 / 65535) - 1);
        codes.push_back(static_cast<uint8_t>(std::lower_bound(bounds.begin(), bounds.end(), place) - bounds.begin()));
    }
    return codes;
}

void quantize_scales(QuantizedWeight& out) {
    static const at::Tensor map = dynamic_map();
    static const std::vector<uint8_t> grid = dynamic_codes_of_grid(map);
    const at::Tensor mean = out.scales.mean(), rest = out.scales - mean;
    const int64_t blocks = rest.numel();
    out.offset = mean.item<float>();
    out.nested_block = kNestedBlock;
    out.nested_map = map;
    out.nested_scales = at::empty({(blocks + kNestedBlock - 1) / kNestedBlock}, at::kFloat);
    out.scales = at::empty({blocks}, at::kByte);
    const float* const values = rest.const_data_ptr<float>();
    auto* const codes = out.scales.mutable_data_ptr<uint8_t>();
    auto* const scales = out.nested_scales.mutable_data_ptr<float>();
    for (int64_t begin = 0; begin < blocks; begin += kNestedBlock) {
        const int64_t count = std::min(kNestedBlock, blocks - begin);
        const float largest = cpu_kernels().largest_magnitude(values + begin, count),
                    inverse = largest > 0 ? 1.0F / largest : 0;
        scales[begin / kNestedBlock] = largest;
        for (int64_t i = begin; i < begin + count; ++i) {
            const float place = std::floor((values[i] * inverse + 1) * 32767.5F + 0.5F);
            codes[i] = largest > 0 ? grid[static_cast<size_t>(std::clamp(place, 0.0F, 65535.0F))] : 0;
        }
    }
}

void quantize_blocks(const at::Tensor& weight, QuantizedWeight& out, const std::string& where) {
    const int64_t count = out.rows * out.columns, blocks = (count + kBlock - 1) / kBlock;
    out.block = kBlock;
    out.codes = at::empty({(count + 1) / 2}, at::kByte);
    out.scales = at::empty({blocks}, at::kFloat);
    auto* const codes = out.codes.mutable_data_ptr<uint8_t>();
    auto* const scales = out.scales.mutable_data_ptr<float>();
    static const std::vector<float> bounds = bounds_of(kNf4Values.data(), kNf4Values.size());
    // Blocks run on from row to row: the rows that a run of blocks touches are read, some of them twice.
    const int64_t run = std::max<int64_t>(1, (out.columns * 16 + kBlock - 1) / kBlock);
    at::parallel_for(0, (blocks + run - 1) / run, 1, [&](int64_t first, int64_t last) {
        for (int64_t b = first * run; b < std::min(blocks, last * run); b += run) {
            const int64_t end_block = std::min(blocks, b + run), end = std::min(count, end_block * kBlock);
            const int64_t first_row = b * kBlock / out.columns, end_row = (end - 1) / out.columns + 1;
            const at::Tensor part = float_rows(weight, first_row, end_row);
            const float* const values = part.const_data_ptr<float>();
            for (int64_t block = b; block < end_block; ++block)
                quantize_block(values + block * kBlock - first_row * out.columns, std::min(kBlock, count - block * kBlock),
                               bounds, codes + block * kBlock / 2, scales[block]);
        }
    });
    if (!at::isfinite(out.scales).all().item<bool>()) not_finite(where);
    quantize_scales(out);
}

}  // namespace

at::Tensor dynamic_map() {
    // For each number of fraction bits the middles of equal parts of 0.1 to 1, times a power of ten; 0 and 1 besides.
    std::vector<float> values = {0, 1};
    for (int exponent = -6; exponent <= 0; ++exponent) {
        const int64_t parts = int64_t{1} << (exponent + 6);
        const at::Tensor ends = at::linspace(0.1, 1, parts + 1, at::kFloat);
        const at::Tensor middles = (ends.narrow(0, 0, parts) + ends.narrow(0, 1, parts)) / 2.0;
        const at::Tensor scaled = middles * std::pow(10.0, exponent);
        for (int64_t i = 0; i < parts; ++i) {
            values.push_back(scaled.const_data_ptr<float>()[i]);
            values.push_back(-scaled.const_data_ptr<float>()[i]);
        }
    }
    std::sort(values.begin(), values.end());
    return at::tensor(at::ArrayRef<float>(values));
}

QuantizedWeight quantize(const at::Tensor& weight, Quantization kind, const std::string& where) {
    if (kind == Quantization::blocks)
        throw Error(where, "blocks that a file has", "values", "blocks are read from files, never created");
    const at::NoGradGuard no_gradients;
    QuantizedWeight out;
    out.kind = kind;
    out.rows = weight.size(0);
    out.columns = weight.size(1);
    if (kind == Quantization::int8)
        quantize_rows(weight, out, where);
    else if (kind == Quantization::nf4)
        quantize_blocks(weight, out, where);
    else
        out.codes = weight;
    return out;
}

}  // namespace craft
