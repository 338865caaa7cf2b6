#include "model/kernels/weight_dots.h"

#include <gtest/gtest.h>
#include <torch/types.h>

#include <cmath>
#include <cstring>

#include "core/rng.h"
#include "model/kernels/quantizer.h"

namespace craft {
namespace {

std::vector<float> normal_floats(Rng& rng, int64_t n, double scale = 1) {
    std::vector<float> x;
    for (int64_t i = 0; i < n; ++i) x.push_back(static_cast<float>(scale * rng.normal()));
    return x;
}

QuantizedWeight some_weight(Rng& rng, int64_t rows, int64_t columns, const std::string& kind) {
    const std::vector<float> values = normal_floats(rng, rows * columns, 0.05);
    const at::Tensor weight = at::tensor(at::ArrayRef<float>(values)).view({rows, columns});
    if (kind == "int8") return quantize(weight, Quantization::int8, "w");
    QuantizedWeight q =
        quantize(weight, kind == "float32" || kind == "bfloat16" ? Quantization::none : Quantization::nf4, "w");
    if (kind == "bfloat16") q.codes = weight.to(at::kBFloat16);
    if (kind.starts_with("plain")) {  // a folder may have other blocks, and no double quantisation
        q.block = std::stoll(kind.substr(5));
        const at::Tensor scales = q.block_scales();
        q.scales = scales.repeat({64}).narrow(0, 0, (rows * columns + q.block - 1) / q.block).contiguous();
        q.nested_scales = q.nested_map = at::Tensor();
    }
    return q;
}

std::vector<float> products(const WeightDots& dots, const std::vector<float>& a, int64_t m, int64_t first, int64_t rows) {
    std::vector<float> c(static_cast<size_t>(m * rows)), scratch;
    dots.add((dots.takes_split() ? split_pairs(a) : a).data(), m, first, rows, c.data(), rows, scratch);
    return c;
}

struct WeightCase {
    std::string kind;
    int64_t columns;
    bool split;
};
const std::vector<WeightCase> kCases = {{"float32", 100, false},   {"bfloat16", 2100, false}, {"int8", 37, false},
                                        {"int8", 2305, false},     {"nf4", 64, true},         {"nf4", 448, true},
                                        {"nf4", 4160, true},       {"nf4", 96, false},        {"nf4", 33, false},
                                        {"plain64", 192, true},    {"plain256", 512, true},   {"plain256", 320, false},
                                        {"plain4096", 4096, false}};

// The values are exactly those of the plain reference; sums of n products are within n 2^-24 sum |a w| of the exact one, and
// a lane's sums of n / lanes products, added up over chunks, well within it.
TEST(WeightDots, ProductsAreThoseOfTheReferencesValues) {
    Rng rng(1, "weight dots");
    for (const WeightCase& one : kCases) {
        const int64_t rows = 19;
        const QuantizedWeight q = some_weight(rng, rows, one.columns, one.kind);
        const WeightDots dots(q);
        EXPECT_EQ(dots.takes_split(), one.split) << one.kind << " " << one.columns;
        const at::Tensor values = q.composed_values(at::kFloat).to(at::kDouble);
        for (const int64_t m : {1, 2, 3, 4, 7, 12}) {
            const std::vector<float> a = normal_floats(rng, m * one.columns);
            const at::Tensor x = at::tensor(at::ArrayRef<float>(a)).view({m, one.columns}).to(at::kDouble);
            const at::Tensor exact = at::mm(x, values.t()), sizes = at::mm(x.abs(), values.abs().t());
            const std::vector<float> got = products(dots, a, m, 0, rows);
            const at::Tensor error =
                (at::tensor(at::ArrayRef<float>(got)).view({m, rows}).to(at::kDouble) - exact).abs() / sizes;
            EXPECT_LT(error.max().item<double>(), static_cast<double>(one.columns) * std::ldexp(1, -24))
                << one.kind << " " << one.columns << " m " << m;
        }
    }
}

TEST(WeightDots, AnElementsBitsDoNotDependOnWhatIsBesideIt) {
    Rng rng(2, "weight dots");
    for (const WeightCase& one : kCases) {
        const int64_t rows = 19, m = 11;
        const WeightDots dots(some_weight(rng, rows, one.columns, one.kind));
        const std::vector<float> a = normal_floats(rng, m * one.columns), all = products(dots, a, m, 0, rows);
        for (int64_t i = 0; i < m; ++i)
            for (const int64_t row : {0, 5, 18}) {
                const std::vector<float> alone =
                    products(dots, {a.begin() + i * one.columns, a.begin() + (i + 1) * one.columns}, 1, row, 1);
                EXPECT_EQ(std::memcmp(alone.data(), &all[static_cast<size_t>(i * rows + row)], sizeof(float)), 0)
                    << one.kind << " " << one.columns << " " << i << " " << row;
            }
    }
}

TEST(WeightDots, SplitPairsByHand) {
    std::vector<float> a(64);
    for (size_t i = 0; i < a.size(); ++i) a[i] = static_cast<float>(i);
    const std::vector<float> split = split_pairs(a);
    EXPECT_EQ(split[0], 0);
    EXPECT_EQ(split[1], 2);
    EXPECT_EQ(split[16], 1);
    EXPECT_EQ(split[31], 31);
    EXPECT_EQ(split[32], 32);
    EXPECT_EQ(split[48], 33);
}

}  // namespace
}  // namespace craft
