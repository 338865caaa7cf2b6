#include "model/kernels/quantized_weight.h"

#include <gtest/gtest.h>
#include <torch/types.h>

#include <cmath>

#include "core/error.h"
#include "core/rng.h"
#include "model/kernels/quantizer.h"

namespace craft {
namespace {

at::Tensor noise(int64_t rows, int64_t columns, uint64_t seed = 1) {
    Rng rng(seed, "quantized weight");
    at::Tensor values = at::empty({rows, columns}, at::kFloat);
    for (int64_t i = 0; i < values.numel(); ++i)
        values.mutable_data_ptr<float>()[i] = static_cast<float>(rng.normal() * 0.05);
    return values;
}

uint8_t byte(const at::Tensor& codes, int64_t i) {
    return codes.const_data_ptr<uint8_t>()[i];
}

// Magnitude 2 in the block: 2 -> 1.0 (code 15), -2 -> code 0, 0 -> code 7, 1 -> 0.5, between 0.4407 and 0.5626, whose middle
// is 0.5017: code 12; -0.5 -> -0.25, between -0.2844 and -0.1848, middle -0.2346: code 4. First element in the high half.
TEST(QuantizedWeight, Nf4CodesByHand) {
    at::Tensor weight = at::zeros({1, 64});
    const float values[] = {2, -2, 0, 1, -0.5F};
    for (int64_t i = 0; i < 5; ++i) weight[0][i] = values[i];
    const QuantizedWeight q = quantize(weight, Quantization::nf4, "w");
    EXPECT_EQ(byte(q.codes, 0), 0xF0);
    EXPECT_EQ(byte(q.codes, 1), 0x7C);
    EXPECT_EQ(byte(q.codes, 2), 0x47);
    EXPECT_EQ(byte(q.codes, 31), 0x77);
    EXPECT_EQ(q.block_scales().item<float>(), 2);  // one block: its mean is itself
    EXPECT_EQ(q.values(at::kFloat)[0][3].item<float>(), 2 * 0.44070982933044434F);
}

// A row of largest magnitude 2: scale 2/127; 1 -> 63.5, to even 64; -0.3 -> -19.05 -> -19.
TEST(QuantizedWeight, Int8CodesByHand) {
    const at::Tensor weight = at::tensor({2.0F, 1.0F, -0.3F, 0.0F, 0.0F, 0.0F}).view({2, 3});
    const QuantizedWeight q = quantize(weight, Quantization::int8, "w");
    EXPECT_TRUE(at::equal(q.codes, at::tensor({127, 64, -19, 0, 0, 0}).view({2, 3}).to(at::kChar)));
    EXPECT_EQ(q.scales[0].item<float>(), 2.0F / 127);
    EXPECT_EQ(q.values(at::kFloat)[0][2].item<float>(), -19 * (2.0F / 127));
    EXPECT_EQ(q.values(at::kFloat)[1].abs().max().item<float>(), 0);
}

// Shapes whose rows do not end with a block, or not with a byte; parts of rows.
TEST(QuantizedWeight, KernelsAreWhatTheOperationsAre) {
    for (const auto& [rows, columns] :
         std::vector<std::pair<int64_t, int64_t>>{{1, 1}, {3, 5}, {7, 33}, {16, 64}, {5, 1000}, {300, 96}, {2, 20000}}) {
        const at::Tensor weight = noise(rows, columns);
        for (const Quantization kind : {Quantization::int8, Quantization::nf4}) {
            QuantizedWeight q = quantize(weight, kind, "w");
            for (int64_t block : {int64_t{64}, int64_t{4096}}) {
                if (block != 64 && kind == Quantization::int8) continue;
                if (block != 64) {  // a folder may have other blocks, and no double quantisation
                    q.scales = q.block_scales().narrow(0, 0, (rows * columns + block - 1) / block).contiguous();
                    q.nested_scales = q.nested_map = at::Tensor();
                    q.block = block;
                }
                for (const at::ScalarType dtype : {at::kFloat, at::kBFloat16})
                    ASSERT_TRUE(at::equal(q.values(dtype), q.composed_values(dtype)))
                        << name_of(kind) << " " << rows << " x " << columns;
                const at::Tensor expected = q.composed_values(at::kFloat);
                const int64_t first = columns / 3, count = columns - first - columns / 5;
                std::vector<float> part(static_cast<size_t>(count));
                WeightRows(q).read(rows - 1, first, count, part.data());
                ASSERT_TRUE(at::equal(at::from_blob(part.data(), {count}), expected[rows - 1].narrow(0, first, count)));
            }
        }
    }
}

// A code is at most half a step away: int8 half of largest/127; NF4's widest step is that of 1.0 to 0.723, half of it 0.139;
// double quantisation changes a scale by less than 2 % of the largest scale here.
TEST(QuantizedWeight, ValuesStayNear) {
    const at::Tensor weight = noise(64, 192);
    const float largest = weight.abs().max().item<float>();
    const auto error = [&](Quantization kind) {
        return (quantize(weight, kind, "w").values(at::kFloat) - weight).abs().max().item<float>();
    };
    EXPECT_LE(error(Quantization::int8), largest / 254 * 1.0001F);
    EXPECT_LE(error(Quantization::nf4), largest * 0.16F);
    EXPECT_GT(error(Quantization::nf4), largest * 0.05F);
}

TEST(QuantizedWeight, TransposedAndNarrowSourcesGiveTheSame) {
    const at::Tensor weight = noise(40, 72).to(at::kBFloat16);
    for (const Quantization kind : {Quantization::int8, Quantization::nf4}) {
        const at::Tensor straight = quantize(weight.to(at::kFloat), kind, "w").codes;
        EXPECT_TRUE(at::equal(quantize(weight, kind, "w").codes, straight));
        EXPECT_TRUE(at::equal(quantize(weight.t().contiguous().t(), kind, "w").codes, straight));
    }
}

TEST(QuantizedWeight, BytesOfABillion) {
    // 4 bits, a byte for 64, a float for 16384: 0.5 + 1/64 + 4/16384 bytes a weight, and the map's 1024.
    const QuantizedWeight q = quantize(noise(128, 256), Quantization::nf4, "w");
    EXPECT_EQ(q.bytes(), 32768 / 2 + 32768 / 64 + 4 * 2 + 1024);
    EXPECT_EQ(quantize(noise(128, 256), Quantization::int8, "w").bytes(), 32768 + 4 * 128);
}

TEST(QuantizedWeight, WeightsThatAreNotFiniteAreRefused) {
    for (const Quantization kind : {Quantization::int8, Quantization::nf4})
        for (const float bad : {NAN, INFINITY}) {
            at::Tensor weight = noise(4, 64);
            weight[2][7] = bad;
            EXPECT_THROW(quantize(weight, kind, "w"), Error);
        }
}

TEST(QuantizedWeight, DynamicMapRises) {
    const at::Tensor map = dynamic_map();
    ASSERT_EQ(map.numel(), 256);
    EXPECT_TRUE((map.narrow(0, 1, 255) > map.narrow(0, 0, 255)).all().item<bool>());
    EXPECT_EQ(map[255].item<float>(), 1);
    EXPECT_FLOAT_EQ(map[0].item<float>(), -0.99296875F);  // the middle of the last 64th of 0.1 to 1
}

}  // namespace
}  // namespace craft
