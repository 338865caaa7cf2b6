#include "english/layers.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <string_view>

namespace craft {

namespace {

constexpr size_t kPanel = 16;  // outputs computed together: two registers of eight numbers, or one of sixteen

#if defined(__x86_64__)
#define CRAFT_ENGLISH_AVX2 __attribute__((target("avx2,fma")))
#define CRAFT_ENGLISH_AVX512 __attribute__((target("avx512f")))
#endif

using Eight = float __attribute__((vector_size(32), aligned(4)));
using Sixteen = float __attribute__((vector_size(64), aligned(4)));

struct Product {
    const float* x;
    size_t rows, stride;
    const float* panels;
    size_t inputs, outputs;
    const float* bias;
    float* out;
};

// The panel of outputs from `column` on for `Rows` rows from `row` on, in registers of a `Vector`. The sums over inputs are
// made in their order, one addition after the other, so that neither `Rows` nor `Vector` changes a bit.
template <class Vector, size_t Rows>
__attribute__((always_inline)) inline void panel_rows(const Product& p, size_t column, size_t row) {
    constexpr size_t kLanes = sizeof(Vector) / sizeof(float), kParts = kPanel / kLanes;
    const float* panel = p.panels + column * p.inputs;
    const float* x = p.x + row * p.stride;
    Vector sums[Rows][kParts] = {};
    for (size_t i = 0; i < p.inputs; ++i) {
        Vector weights[kParts];
        for (size_t part = 0; part < kParts; ++part)
            weights[part] = *reinterpret_cast<const Vector*>(panel + i * kPanel + part * kLanes);
        for (size_t r = 0; r < Rows; ++r)
            for (size_t part = 0; part < kParts; ++part) sums[r][part] += weights[part] * x[r * p.stride + i];
    }
    const size_t columns = std::min(kPanel, p.outputs - column);
    for (size_t r = 0; r < Rows; ++r) {
        float whole[kPanel];
        for (size_t part = 0; part < kParts; ++part) {
            const Vector sum = sums[r][part] + *reinterpret_cast<const Vector*>(p.bias + column + part * kLanes);
            std::memcpy(whole + part * kLanes, &sum, sizeof sum);
        }
        std::memcpy(p.out + (row + r) * p.outputs + column, whole, columns * sizeof(float));
    }
}

// `Most` rows at a time, as many as leave registers for weights, and what is left all at once: rows one by one would wait
// for each addition.
template <class Vector, size_t Most>
__attribute__((always_inline)) inline void product_body(const Product& p) {
    for (size_t column = 0; column < p.outputs; column += kPanel) {
        size_t row = 0;
        for (; row + Most <= p.rows; row += Most) panel_rows<Vector, Most>(p, column, row);
        if (Most > 6 && p.rows - row >= 6) {
            panel_rows<Vector, 6>(p, column, row);
            row += 6;
        }
        switch (p.rows - row) {
            case 5:
                panel_rows<Vector, 5>(p, column, row);
                break;
            case 4:
                panel_rows<Vector, 4>(p, column, row);
                break;
            case 3:
                panel_rows<Vector, 3>(p, column, row);
                break;
            case 2:
                panel_rows<Vector, 2>(p, column, row);
                break;
            case 1:
                panel_rows<Vector, 1>(p, column, row);
                break;
            default:
                break;
        }
    }
}

void product_plain(const Product& product) {
    product_body<Eight, 6>(product);
}

#if defined(CRAFT_ENGLISH_AVX2)
CRAFT_ENGLISH_AVX2 void product_avx2(const Product& product) {
    product_body<Eight, 6>(product);
}

CRAFT_ENGLISH_AVX512 void product_avx512(const Product& product) {
    product_body<Sixteen, 12>(product);
}
#endif

// What the processor has, and no more than CRAFT_CPU_KERNELS allows, by which tests choose (docs/performance/processors.md).
using Multiply = void (*)(const Product&);
Multiply chosen_product() {
#if defined(CRAFT_ENGLISH_AVX2)
    const char* variable = std::getenv("CRAFT_CPU_KERNELS");
    const std::string_view named = variable == nullptr ? "" : variable;
    if ((named.empty() || named.starts_with("avx512")) && __builtin_cpu_supports("avx512f")) return product_avx512;
    if ((named.empty() || named.starts_with("avx")) && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        return product_avx2;
#endif
    return product_plain;
}

void multiply(const Product& product) {
    static const Multiply chosen = chosen_product();
    chosen(product);
}

// In the order in which numpy sums up to 128 numbers, so that means are the same bits.
float numpy_sum(const float* values, size_t count) {
    float lanes[8] = {};
    const size_t whole = count / 8 * 8;
    for (size_t i = 0; i < whole; i += 8)
        for (size_t lane = 0; lane < 8; ++lane) lanes[lane] += values[i + lane];
    float sum = ((lanes[0] + lanes[1]) + (lanes[2] + lanes[3])) + ((lanes[4] + lanes[5]) + (lanes[6] + lanes[7]));
    for (size_t i = whole; i < count; ++i) sum += values[i];
    return sum;
}

}  // namespace

std::vector<float> swapped_axes(const std::vector<float>& values, size_t outer, size_t inner, size_t size) {
    std::vector<float> out(values.size());
    for (size_t i = 0; i < outer; ++i)
        for (size_t j = 0; j < inner; ++j)
            std::copy_n(values.begin() + static_cast<std::ptrdiff_t>((i * inner + j) * size), size,
                        out.begin() + static_cast<std::ptrdiff_t>((j * outer + i) * size));
    return out;
}

AffineLayer::AffineLayer(const std::vector<float>& weights, const std::vector<float>& bias, size_t outputs, size_t inputs)
    : inputs_(inputs), outputs_(outputs) {
    const size_t filled = (outputs + kPanel - 1) / kPanel * kPanel;
    panels_.resize(filled * inputs);
    bias_ = bias;
    bias_.resize(filled);
    for (size_t output = 0; output < outputs; ++output)
        for (size_t input = 0; input < inputs; ++input)
            panels_[(output / kPanel * inputs + input) * kPanel + output % kPanel] = weights[output * inputs + input];
}

void AffineLayer::apply(const float* x, size_t rows, size_t stride, float* out) const {
    multiply({x, rows, stride, panels_.data(), inputs_, outputs_, bias_.data(), out});
}

NormalisedMaxout::NormalisedMaxout(const std::vector<float>& weights, const std::vector<float>& bias,
                                   const std::vector<float>& scale, const std::vector<float>& shift, size_t pieces,
                                   size_t inputs)
    : affine_(swapped_axes(weights, scale.size(), pieces, inputs), swapped_axes(bias, scale.size(), pieces, 1),
              scale.size() * pieces, inputs),
      pieces_(pieces),
      scale_(scale),
      shift_(shift) {}

void NormalisedMaxout::apply(const float* x, size_t rows, size_t stride, float* out) const {
    constexpr size_t kBlock = 48;  // rows whose pieces stay in the nearest cache
    const size_t width = outputs();
    std::vector<float> candidates(std::min(rows, kBlock) * affine_.outputs());
    for (size_t begin = 0; begin < rows; begin += kBlock) {
        const size_t count = std::min(kBlock, rows - begin);
        affine_.apply(x + begin * stride, count, stride, candidates.data());
        for (size_t row = 0; row < count; ++row) {
            const float* pieces = candidates.data() + row * affine_.outputs();
            float* best = out + (begin + row) * width;
            std::copy_n(pieces, width, best);
            for (size_t piece = 1; piece < pieces_; ++piece)
                for (size_t i = 0; i < width; ++i) best[i] = std::max(best[i], pieces[piece * width + i]);
            normalise(best);
        }
    }
}

void NormalisedMaxout::normalise(float* row) const {
    constexpr float kSmallest = 1e-8F;  // thinc's, added to the variance
    const size_t width = outputs();
    const auto count = static_cast<float>(width);
    const float mean = numpy_sum(row, width) / count;
    for (size_t i = 0; i < width; ++i) row[i] -= mean;
    std::vector<float> squares(row, row + width);
    for (float& square : squares) square *= square;
    const float variance = numpy_sum(squares.data(), width) / count + kSmallest;
    const float factor = std::pow(variance, -0.5F);
    for (size_t i = 0; i < width; ++i) row[i] = row[i] * factor * scale_[i] + shift_[i];
}

}  // namespace craft
