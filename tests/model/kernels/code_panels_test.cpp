// Products with 4-bit blocks and int8 as panels, beside the same values in double.
#include "model/kernels/code_panels.h"

#include <gtest/gtest.h>
#include <torch/types.h>

#include <cmath>
#include <cstring>

#include "core/rng.h"
#include "model/kernels/bfloat16_products.h"
#include "model/kernels/packed_weight.h"

namespace craft {
namespace {

// Random codes; scales, halves, of both signs and at most 2^-4.
QuantizedWeight some_blocks(Rng& rng, GgufType type, int64_t rows, int64_t columns) {
    QuantizedWeight weight;
    weight.kind = Quantization::blocks;
    weight.type = type;
    weight.rows = rows;
    weight.columns = columns;
    const auto bytes = static_cast<int64_t>(info_of(type).bytes);
    weight.codes = at::empty({rows, columns / 32 * bytes}, at::kByte);
    auto* const at = weight.codes.data_ptr<uint8_t>();
    for (int64_t i = 0; i < weight.codes.numel(); ++i) at[i] = static_cast<uint8_t>(rng.between(0, 255));
    for (int64_t i = 0; i < weight.codes.numel(); i += bytes)
        for (const int64_t half : {0, 2})
            if (half == 0 || type == GgufType::q4_1) at[i + half + 1] &= 0xAB;
    return weight;
}

QuantizedWeight some_bytes(Rng& rng, int64_t rows, int64_t columns) {
    QuantizedWeight weight;
    weight.kind = Quantization::int8;
    weight.rows = rows;
    weight.columns = columns;
    weight.codes = at::empty({rows, columns}, at::kChar);
    auto* const at = weight.codes.data_ptr<int8_t>();
    for (int64_t i = 0; i < weight.codes.numel(); ++i) at[i] = static_cast<int8_t>(rng.between(-127, 127));
    weight.scales = at::empty({rows}, at::kFloat);
    for (int64_t i = 0; i < rows; ++i) weight.scales.data_ptr<float>()[i] = static_cast<float>(rng.uniform() * 0.01);
    return weight;
}

class CodePanelsTest : public testing::Test {
protected:
    void SetUp() override {
        if (!has_bfloat16_products()) GTEST_SKIP() << "no bfloat16 products of ours on this processor";
    }
};

TEST_F(CodePanelsTest, ProductsAreThoseOfTheValues) {
    Rng rng(1, "codes");
    for (const auto& [rows, columns] : std::vector<std::pair<int64_t, int64_t>>{{1, 32}, {16, 64}, {37, 96}, {70, 576}}) {
        for (const QuantizedWeight& weight :
             {some_blocks(rng, GgufType::q4_0, rows, columns), some_blocks(rng, GgufType::q4_1, rows, columns),
              some_bytes(rng, rows, columns)}) {
            ASSERT_TRUE(packs_codes(weight));
            const CodePanels panels = pack_codes(weight);
            const at::Tensor values = weight.values(at::kFloat).to(at::kDouble);
            for (const int64_t m : {1, 2, 3, 7, 16}) {
                std::vector<float> a(static_cast<size_t>(m * columns));
                for (float& value : a) value = static_cast<float>(rng.normal());
                const std::vector<uint16_t> x = rounded_rows(a.data(), m, columns);
                const at::Tensor rounded = at::from_blob(a.data(), {m, columns}).to(at::kBFloat16).to(at::kDouble);
                const std::vector<float> sums = block_sums(x, m, columns);
                const at::Tensor wanted = at::mm(rounded, values.t()), sizes = at::mm(rounded.abs(), values.abs().t()) + 1;
                std::vector<float> c(static_cast<size_t>(m * (rows + 3)), 0.5F);
                for (const bool add : {false, true}) {
                    code_product(x.data(), sums.data(), m, panels, c.data(), rows + 3, add);
                    const at::Tensor got = at::from_blob(c.data(), {m, rows + 3}).to(at::kDouble);
                    const at::Tensor error = (got.narrow(1, 0, rows) - (add ? 2 : 1) * wanted).abs() / sizes;
                    // The sums of codes and of offsets, which almost cancel, are each a few times as large as their sum.
                    EXPECT_LT(error.max().item<double>(), 2e-5) << rows << " x " << columns << ", " << m << ", " << add;
                    EXPECT_TRUE(at::all(got.narrow(1, rows, 3) == 0.5).item<bool>()) << "what lies behind a row";
                }
            }
        }
    }
}

TEST_F(CodePanelsTest, ARowsBitsDoNotDependOnItsNeighbours) {
    Rng rng(2, "bits");
    for (const QuantizedWeight& weight :
         {some_blocks(rng, GgufType::q4_1, 50, 96), some_blocks(rng, GgufType::q4_0, 50, 96), some_bytes(rng, 50, 96)}) {
        const CodePanels panels = pack_codes(weight);
        for (const bool add : {false, true})
            for (size_t m = 2; m < 9; ++m) {
                std::vector<float> a(m * 96), all(m * 50, 0.3F);
                for (float& value : a) value = static_cast<float>(rng.normal());
                const std::vector<uint16_t> x = rounded_rows(a.data(), static_cast<int64_t>(m), 96);
                const std::vector<float> sums = block_sums(x, static_cast<int64_t>(m), 96);
                code_product(x.data(), sums.data(), static_cast<int64_t>(m), panels, all.data(), 50, add);
                for (size_t i = 0; i < m; ++i) {
                    std::vector<float> one(50, 0.3F);
                    code_product(x.data() + i * 96, sums.data() + i * 3, 1, panels, one.data(), 50, add);
                    EXPECT_EQ(std::memcmp(one.data(), all.data() + i * 50, one.size() * sizeof(float)), 0) << m << ", " << i;
                }
            }
    }
}

TEST_F(CodePanelsTest, TakesNoOthers) {
    Rng rng(3, "others");
    EXPECT_FALSE(packs_codes(some_blocks(rng, GgufType::q5_0, 4, 64)));
    EXPECT_FALSE(packs_codes(some_bytes(rng, 4, 20)));
    QuantizedWeight infinite = some_blocks(rng, GgufType::q4_0, 4, 64);
    infinite.codes.data_ptr<uint8_t>()[1] = 0x7C;
    EXPECT_FALSE(packs_codes(infinite));
}

}  // namespace
}  // namespace craft
