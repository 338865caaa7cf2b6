#include "model/kernels/cpu_kernels.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <string>

#include "core/rng.h"
#include "model/kernels/packed_weight.h"
#include "tests/model/kernels/cpu_kernel_sets.h"

namespace craft {

namespace {

using test::noise;

class CpuKernelSets : public testing::TestWithParam<const CpuKernels*> {};

// Sums of k products of standard normals: float rounding stays below k * 2^-24 * a few; 1e-5 relative to sqrt(k) is ample.
TEST_P(CpuKernelSets, ProductsForEveryShape) {
    Rng rng(1, "product");
    for (const auto& [n, k] : std::vector<std::pair<int64_t, int64_t>>{{16, 8}, {33, 24}, {5, 1}, {96, 70}}) {
        const auto weight = noise(rng, n * k);
        const PackedWeight packed = pack_weight(weight.data(), n, k);
        for (int64_t m = 1; m <= 26; ++m) {
            const auto a = noise(rng, m * k), before = noise(rng, m * n);
            for (const bool add : {false, true}) {
                auto c = before;
                GetParam()->product(a.data(), m, packed, c.data(), add, 0, padded(n) / kLanes);
                for (int64_t i = 0; i < m; ++i)
                    for (int64_t j = 0; j < n; ++j) {
                        double expected = add ? before[static_cast<size_t>(i * n + j)] : 0;
                        for (int64_t t = 0; t < k; ++t)
                            expected += double(a[static_cast<size_t>(i * k + t)]) * weight[static_cast<size_t>(j * k + t)];
                        ASSERT_NEAR(c[static_cast<size_t>(i * n + j)], expected, 1e-4) << m << " " << n << " " << k;
                    }
            }
        }
    }
}

TEST_P(CpuKernelSets, ARowsBitsDoNotDependOnItsNeighbours) {
    Rng rng(2, "bits");
    const int64_t n = 40, k = 37, m = 29;
    const auto weight = noise(rng, n * k), a = noise(rng, m * k);
    const PackedWeight packed = pack_weight(weight.data(), n, k);
    std::vector<float> all(static_cast<size_t>(m * n)), one(static_cast<size_t>(n));
    GetParam()->product(a.data(), m, packed, all.data(), false, 0, 3);
    for (int64_t i = 0; i < m; ++i) {
        GetParam()->product(a.data() + i * k, 1, packed, one.data(), false, 0, 3);
        EXPECT_EQ(std::memcmp(one.data(), all.data() + i * n, one.size() * sizeof(float)), 0) << i;
    }
}

TEST_P(CpuKernelSets, Elementwise) {
    Rng rng(4, "elementwise");
    for (const int64_t n : {1, 15, 16, 45}) {
        const auto x = noise(rng, n, 3), w = noise(rng, n);
        std::vector<float> y(x.size());
        double squares = 0;
        for (const float v : x) squares += double(v) * v;
        GetParam()->rms_norm(x.data(), w.data(), n, 1e-5F, y.data());
        for (size_t i = 0; i < y.size(); ++i)
            EXPECT_NEAR(y[i], x[i] * w[i] / std::sqrt(squares / static_cast<double>(n) + 1e-5), 1e-5);
        GetParam()->swiglu(x.data(), w.data(), n, y.data());
        for (size_t i = 0; i < y.size(); ++i) EXPECT_NEAR(y[i], x[i] / (1 + std::exp(-double(x[i]))) * w[i], 1e-5);
    }
    std::vector<float> x, y;
    for (float v = -86; v < 88; v += 0.173F) x.push_back(v);
    y = x;
    GetParam()->exponentials(y.data(), static_cast<int64_t>(y.size()), 1.5F, 0.5F);
    for (size_t i = 0; i < x.size(); ++i) EXPECT_NEAR(y[i] / std::exp((double(x[i]) - 1.5) * 0.5), 1, 1e-5);
    std::vector<float> far = {-INFINITY, -1e30F, 0};
    GetParam()->exponentials(far.data(), 3, 0, 1);
    EXPECT_EQ(far, (std::vector<float>{0, 0, 1}));
}

// Every start and length, over three blocks of 40 elements: the value is the code's times its block's scale, exactly.
TEST_P(CpuKernelSets, ValuesOfNarrowWeights) {
    Rng rng(5, "narrow");
    std::vector<uint8_t> codes(60);
    for (uint8_t& pair : codes) pair = static_cast<uint8_t>(rng.between(0, 255));
    const auto map = noise(rng, 16), scales = noise(rng, 3);
    const Nf4Codes weight{codes.data(), map.data(), 40};
    std::vector<float> out(120);
    for (int64_t begin = 0; begin < 120; ++begin)
        for (int64_t count = 0; begin + count <= 120; ++count) {
            GetParam()->nf4_values(weight, scales.data() + begin / 40, begin, count, out.data());
            for (int64_t i = 0; i < count; ++i) {
                const int64_t at = begin + i;
                const int code =
                    at % 2 == 0 ? codes[static_cast<size_t>(at / 2)] >> 4 : codes[static_cast<size_t>(at / 2)] & 15;
                ASSERT_EQ(out[static_cast<size_t>(i)],
                          map[static_cast<size_t>(code)] * scales[static_cast<size_t>(at / 40)]);
            }
        }
    for (const int64_t count : {1, 15, 16, 37}) {
        GetParam()->int8_values(reinterpret_cast<const int8_t*>(codes.data()), 0.3F, count, out.data());
        for (int64_t i = 0; i < count; ++i)
            ASSERT_EQ(out[static_cast<size_t>(i)],
                      static_cast<float>(static_cast<int8_t>(codes[static_cast<size_t>(i)])) * 0.3F);
        const std::vector<uint16_t> halves(static_cast<size_t>(count), 0xC048);  // -3.125 in bfloat16
        GetParam()->bfloat16_values(halves.data(), count, out.data());
        for (int64_t i = 0; i < count; ++i) ASSERT_EQ(out[static_cast<size_t>(i)], -3.125F);
    }
}

TEST_P(CpuKernelSets, DotsOfRowsForEveryShape) {
    Rng rng(6, "dots");
    for (const int64_t n : {1, 16, 70}) {
        const int64_t most = 9, lda = n + 3, ldw = n + 5, ldc = 11;
        const auto a = noise(rng, most * lda), w = noise(rng, most * ldw), before = noise(rng, most * ldc);
        std::vector<float> whole = before;
        GetParam()->add_dots(a.data(), lda, most, w.data(), ldw, most, n, whole.data(), ldc);
        for (int64_t m = 1; m <= most; ++m)
            for (int64_t rows = 1; rows <= most; ++rows) {
                auto c = before;
                GetParam()->add_dots(a.data(), lda, m, w.data(), ldw, rows, n, c.data(), ldc);
                for (int64_t i = 0; i < m; ++i)
                    for (int64_t r = 0; r < rows; ++r) {
                        const auto place = static_cast<size_t>(i * ldc + r);
                        double expected = before[place];
                        for (int64_t t = 0; t < n; ++t)
                            expected += double(a[static_cast<size_t>(i * lda + t)]) * w[static_cast<size_t>(r * ldw + t)];
                        ASSERT_NEAR(c[place], expected, 1e-4);
                        ASSERT_EQ(c[place], whole[place]) << m << " " << rows;  // whatever is computed beside it
                    }
            }
    }
}

// Products with a weight as it is held have the bits of products with the values that it stands for.
TEST_P(CpuKernelSets, DotsOfNarrowRowsAreThoseOfTheirValues) {
    Rng rng(7, "narrow dots");
    const int64_t most = 9, columns = 192, rows = 7;
    std::vector<uint8_t> bytes(static_cast<size_t>(rows * columns * 2));
    for (uint8_t& byte : bytes) byte = static_cast<uint8_t>(rng.between(0, 255));
    std::vector<uint16_t> halves;
    for (const float v : noise(rng, rows * columns)) {
        uint32_t bits;
        std::memcpy(&bits, &v, sizeof bits);
        halves.push_back(static_cast<uint16_t>(bits >> 16));
    }
    const auto a = noise(rng, most * columns), scales = noise(rng, rows * columns), map = noise(rng, 16);
    std::vector<float> values(static_cast<size_t>(rows * columns));
    const auto check = [&](const char* kind, int64_t n, const std::vector<float>& activations, const auto& add_narrow) {
        for (int64_t m = 1; m <= most; ++m) {
            std::vector<float> expected(static_cast<size_t>(m * rows), 0.25F), got = expected;
            GetParam()->add_dots(activations.data(), columns, m, values.data(), columns, rows, n, expected.data(), rows);
            add_narrow(activations.data(), m, got.data());
            ASSERT_EQ(got, expected) << kind << " " << n << " " << m;
        }
    };
    for (const int64_t n : {5, 16, 37, 192}) {
        GetParam()->bfloat16_values(halves.data(), rows * columns, values.data());
        check("bfloat16", n, a, [&](const float* x, int64_t m, float* c) {
            GetParam()->add_bfloat16_dots(x, columns, m, halves.data(), columns, rows, n, c, rows);
        });
        const auto* const codes = reinterpret_cast<const int8_t*>(bytes.data());
        for (int64_t r = 0; r < rows; ++r)
            GetParam()->int8_values(codes + r * columns, scales[static_cast<size_t>(r)], columns,
                                    values.data() + r * columns);
        check("int8", n, a, [&](const float* x, int64_t m, float* c) {
            GetParam()->add_int8_dots(x, columns, m, codes, scales.data(), columns, rows, n, c, rows);
        });
    }
    const auto split = [](const std::vector<float>& x) {
        std::vector<float> out;
        for (size_t begin = 0; begin < x.size(); begin += 32)
            for (const size_t first : {0, 1})
                for (size_t i = 0; i < 16; ++i) out.push_back(x[begin + 2 * i + first]);
        return out;
    };
    for (const int64_t block : {32, 64}) {
        const int64_t blocks = columns / block;
        for (int64_t r = 0; r < rows; ++r)  // rows of scales are blocks + 1 apart
            GetParam()->nf4_values({bytes.data() + r * columns / 2, map.data(), block}, scales.data() + r * (blocks + 1), 0,
                                   columns, values.data() + r * columns);
        values = split(values);
        const Nf4Rows weight{bytes.data(), columns, scales.data(), blocks + 1, map.data(), block};
        check("nf4", columns, split(a), [&](const float* x, int64_t m, float* c) {
            GetParam()->add_nf4_dots(x, columns, m, weight, rows, columns, c, rows);
        });
    }
}

TEST_P(CpuKernelSets, CodesOfValues) {
    Rng rng(8, "codes");
    std::vector<float> bounds;
    for (int i = 0; i < 15; ++i) bounds.push_back(static_cast<float>(i - 7) / 8);
    for (const int64_t n : {2, 14, 16, 64, 94, 200}) {
        auto x = noise(rng, n, 0.3);
        x[0] = 0.5F;  // on a bound: not above it; a half: to the even number
        x[1] = -1.5F;
        std::vector<uint8_t> codes(static_cast<size_t>(n / 2));
        GetParam()->nf4_codes(x.data(), 0.5F, bounds.data(), n, codes.data());
        std::vector<int8_t> whole(static_cast<size_t>(n));
        GetParam()->int8_codes(x.data(), 31, n, whole.data());
        float largest = 0;
        for (int64_t i = 0; i < n; ++i) {
            const float value = x[static_cast<size_t>(i)];
            const auto below =
                std::count_if(bounds.begin(), bounds.end(), [&](float bound) { return bound < value * 0.5F; });
            const int pair = codes[static_cast<size_t>(i / 2)];
            ASSERT_EQ(i % 2 == 0 ? pair >> 4 : pair & 15, below) << n << " " << i;
            ASSERT_EQ(whole[static_cast<size_t>(i)], static_cast<int>(std::nearbyint(value * 31))) << n << " " << i;
            largest = std::max(largest, std::abs(value));
        }
        EXPECT_EQ(GetParam()->largest_magnitude(x.data(), n), largest);
        for (const float bad : {INFINITY, -INFINITY, NAN, -NAN})
            for (const int64_t place : {int64_t{0}, n - 1}) {
                auto broken = x;
                broken[static_cast<size_t>(place)] = bad;
                EXPECT_TRUE(std::isnan(GetParam()->largest_magnitude(broken.data(), n))) << n << " " << place;
            }
    }
}

// `unit.avx2_level` (tests/CMakeLists.txt) runs it once more with ATEN_CPU_CAPABILITY=avx2.
TEST(CpuKernels, AreTheBestAtTheLevelOfLibTorch) {
    EXPECT_LE(cpu_kernels().level, vector_level());
    for (const CpuKernels* usable : usable_cpu_kernels()) {
        const bool passed_over = usable->level > cpu_kernels().level;
        EXPECT_TRUE(!passed_over || usable->level > vector_level()) << usable->name;
    }
    if (const char* asked = std::getenv("ATEN_CPU_CAPABILITY"); asked != nullptr && std::string(asked) == "avx2") {
        EXPECT_LE(vector_level(), VectorLevel::avx2);
    }
}

INSTANTIATE_TEST_SUITE_P(All, CpuKernelSets, testing::ValuesIn(usable_cpu_kernels()), test::kernels_name);

}  // namespace
}  // namespace craft
