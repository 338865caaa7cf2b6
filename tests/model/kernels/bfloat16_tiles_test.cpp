#include "model/kernels/bfloat16_tiles.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

#include "core/rng.h"

namespace craft {
namespace {

// A matrix of small bfloat16 numbers, row by row, and what they are.
struct Matrix {
    std::vector<uint16_t> bits;
    std::vector<float> values;
};

Matrix drawn(int64_t rows, int64_t columns, Rng& rng) {
    Matrix made;
    for (int64_t i = 0; i < rows * columns; ++i) {
        const float value = static_cast<float>(rng.uniform()) * 2 - 1;
        uint16_t bits = 0;
        round_bfloat16(&value, 1, &bits);
        made.bits.push_back(bits);
        const uint32_t wide = static_cast<uint32_t>(bits) << 16;
        float back = 0;
        std::memcpy(&back, &wide, sizeof back);
        made.values.push_back(back);
    }
    return made;
}

class Bfloat16Tiles : public testing::Test {
protected:
    void SetUp() override {
        if (!has_bfloat16_tiles()) GTEST_SKIP() << "no bfloat16 products of ours by tiles here";
    }
};

TEST_F(Bfloat16Tiles, MultiplyAnyShapesInEveryForm) {
    Rng rng(1, "tiles");
    for (int turn = 0; turn < 300; ++turn) {
        const int64_t rows = rng.between(1, 70), inner = 2 * rng.between(1, 70), columns = rng.between(1, 70),
                      held = inner + 2 * rng.between(0, 20), stride = columns + rng.between(0, 5);
        const bool paired = rng.below(2) == 1, is_float = rng.below(2) == 1, add = rng.below(2) == 1,
                   scaled = rng.below(2) == 1;
        const Matrix a = drawn(rows, inner, rng), b = drawn(held, columns, rng);
        std::vector<uint16_t> left = a.bits, panels(static_cast<size_t>((columns + 15) / 16 * 16 * held));
        if (paired)
            for (int64_t i = 0; i < rows; ++i)
                for (int64_t j = 0; j < inner; ++j)
                    left[static_cast<size_t>(2 * (j / 2 * rows + i) + j % 2)] = a.bits[static_cast<size_t>(i * inner + j)];
        pack_bfloat16(b.bits.data(), columns, false, held, columns, panels.data());
        std::vector<float> factors(static_cast<size_t>(rows), 0.5F), c(static_cast<size_t>(rows * stride), 3);
        std::vector<uint16_t> small(c.size(), 0x4040);  // 3 as bfloat16
        multiply_by_tiles({.a = left.data(),
                           .a_stride = paired ? rows : inner,
                           .a_paired = paired,
                           .panels = panels.data(),
                           .rows = rows,
                           .inner = inner,
                           .columns = columns,
                           .panel_inner = held,
                           .c = is_float ? static_cast<void*>(c.data()) : small.data(),
                           .c_stride = stride,
                           .c_is_float = is_float,
                           .add = add,
                           .factors = scaled ? factors.data() : nullptr});
        for (int64_t i = 0; i < rows; ++i)
            for (int64_t j = 0; j < stride; ++j) {
                const auto at = static_cast<size_t>(i * stride + j);
                const uint32_t wide = static_cast<uint32_t>(small[at]) << 16;
                float got = c[at];
                if (!is_float) std::memcpy(&got, &wide, sizeof got);
                if (j >= columns) {
                    ASSERT_EQ(got, 3) << "what stands beside the product stays";
                    continue;
                }
                double sum = 0;
                for (int64_t k = 0; k < inner; ++k)
                    sum += static_cast<double>(a.values[static_cast<size_t>(i * inner + k)]) *
                           b.values[static_cast<size_t>(k * columns + j)];
                const double expected = (scaled ? 0.5 : 1) * sum + (add ? 3 : 0);
                // Sums of at most 140 products below 1 in float32; bfloat16 keeps 8 bits.
                ASSERT_NEAR(got, expected, is_float ? 1e-4 : 1e-4 + std::abs(expected) / 256)
                    << rows << " x " << inner << " x " << columns << (paired ? " paired" : "");
            }
    }
}

TEST_F(Bfloat16Tiles, ARowsBitsDependOnNoOtherRow) {
    Rng rng(2, "tiles");
    const int64_t rows = 45, inner = 74, columns = 50;
    const Matrix a = drawn(rows, inner, rng), b = drawn(inner, columns, rng);
    std::vector<uint16_t> panels(64 * 74);
    pack_bfloat16(b.bits.data(), columns, false, inner, columns, panels.data());
    const auto product = [&](int64_t first, int64_t count) {
        std::vector<float> c(static_cast<size_t>(count * columns));
        multiply_by_tiles({.a = a.bits.data() + first * inner,
                           .a_stride = inner,
                           .panels = panels.data(),
                           .rows = count,
                           .inner = inner,
                           .columns = columns,
                           .c = c.data(),
                           .c_stride = columns,
                           .c_is_float = true});
        return c;
    };
    const std::vector<float> all = product(0, rows);
    for (const int64_t row : {0, 15, 16, 31, 33, 44}) {
        const std::vector<float> alone = product(row, 1);
        EXPECT_TRUE(std::equal(alone.begin(), alone.end(), all.begin() + row * columns)) << row;
    }
}

}  // namespace
}  // namespace craft
