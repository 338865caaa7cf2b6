#include "model/kernels/packed_weight.h"

#include <gtest/gtest.h>
#include <torch/types.h>

#include <cstring>

#include "model/kernels/bfloat16_products.h"
#include "model/steps/step_linear.h"
#include "model/steps/steps.h"
#include "tests/model/decoder/small_decoder.h"
#include "tests/model/steps/decoder_expectations.h"
#include "tests/source.h"

namespace craft {
namespace {

at::Tensor numbers(int64_t rows, int64_t columns) {
    return at::arange(rows * columns, at::kFloat).view({rows, columns}).clone();
}

// Panel p holds rows 16 p to 16 p + 15: column k's 16 values beside each other, zeros for rows that there are not.
void expect_panels(const PackedWeight& packed, const at::Tensor& weight) {
    const int64_t rows = weight.size(0), columns = weight.size(1);
    ASSERT_EQ(packed.rows, rows);
    ASSERT_EQ(packed.columns, columns);
    for (int64_t r = 0; r < padded(rows); ++r)
        for (int64_t k = 0; k < columns; ++k)
            ASSERT_EQ(packed.panels.get()[(r / 16 * columns + k) * 16 + r % 16],
                      r < rows ? weight[r][k].item<float>() : 0.0F)
                << r << " " << k;
}

TEST(PackedWeight, TheLastHolderIsPackedWhereItLies) {
    for (const int64_t columns : {1, 16, 37}) {
        at::Tensor weight = numbers(48, columns);
        const at::Tensor kept = weight.clone();
        const void* const place = weight.const_data_ptr();
        const PackedWeight packed = pack_weight(std::move(weight));
        EXPECT_EQ(static_cast<const void*>(packed.panels.get()), place);
        expect_panels(packed, kept);
    }
}

TEST(PackedWeight, WhatOthersHoldIsCopied) {
    at::Tensor weight = numbers(32, 5);
    const at::Tensor kept = weight.clone(), view = weight.narrow(0, 0, 3);
    const PackedWeight packed = pack_weight(std::move(weight));  // the view holds the same memory
    expect_panels(packed, kept);
    EXPECT_TRUE(at::equal(view, kept.narrow(0, 0, 3)));
    const at::Tensor other = numbers(32, 5);
    expect_panels(pack_weight(other), kept);
    EXPECT_TRUE(at::equal(other, kept));
}

TEST(PackedWeight, PartsOfAPanelAndOtherDtypesAreCopied) {
    const at::Tensor kept = numbers(21, 6);
    expect_panels(pack_weight(numbers(21, 6)), kept);
    expect_panels(pack_weight(numbers(21, 6).to(at::kDouble)), kept);
    expect_panels(pack_weight(kept.t().contiguous().t()), kept);
}

at::Tensor rounded(const at::Tensor& x) {
    return x.to(at::kBFloat16).to(at::kDouble);
}

// A bfloat16 weight with adapters on two of its three parts, of an odd and an even rank.
Linear narrow_linear(int64_t columns, int64_t height = 75) {
    const auto wave = [](int64_t rows, int64_t n, double speed) {
        return at::sin(at::arange(rows * n, at::kFloat).view({rows, n}) * speed);
    };
    Linear linear;
    linear.weight = wave(height, columns, 0.7).to(at::kBFloat16);
    const int64_t q = height - 35;
    linear.projections = {{"q", 0, q, wave(3, columns, 0.3), wave(q, 3, 1.1), 0.5},
                          {"k", q, 18, {}, {}},
                          {"v", q + 18, 17, wave(4, columns, 0.9), wave(17, 4, 1.3), 2.0}};
    return linear;
}

// The sums of rounded factors, in float64: x W^T, and round(x A^T) (scale B)^T in an adapter's rows.
TEST(PackedBfloat16, ProductsAreThoseOfRoundedFactors) {
    if (!has_bfloat16_products()) GTEST_SKIP() << "no bfloat16 products of ours on this processor";
    struct Shape {
        int64_t rows, columns;
    };
    for (const auto& [rows, columns] : {Shape{75, 1}, Shape{75, 37}, Shape{75, 600}, Shape{300, 64}})
        for (const int64_t m : {1, 2, 13, 50}) {
            const Linear linear = narrow_linear(columns, rows);
            const at::Tensor x = at::cos(at::arange(m * columns, at::kFloat).view({m, columns}) * 0.37);
            const at::Tensor weight = linear.weight.to(at::kDouble).t();
            at::Tensor expected = at::mm(rounded(x), weight);
            // A float32 sum of n products is off by n 2^-24 of the sum of their sizes at most.
            at::Tensor bound = at::mm(rounded(x).abs(), weight.abs()) * (static_cast<double>(columns + 4) * 0x1p-24);
            for (const Projection& part : linear.projections) {
                if (!part.lora_a.defined()) continue;
                const at::Tensor inner = at::mm(rounded(x), rounded(part.lora_a).t());
                const at::Tensor b = rounded(part.lora_b * part.lora_scale);
                expected.narrow(1, part.first, part.rows) += at::mm(rounded(inner), b.t());
                // What is rounded on the way may fall to the other side where a float32 sum has other last bits.
                bound.narrow(1, part.first, part.rows) += at::mm(inner.abs(), b.abs().t()) * 0x1p-8;
            }
            const StepLinear step(linear, /*may_copy=*/true);
            const std::vector<float> a = floats(x);
            std::vector<float> c;
            step.product(a, m, c, false);
            const at::Tensor got = at::from_blob(c.data(), {m, rows}).to(at::kDouble);
            EXPECT_TRUE(at::all((got - expected).abs() <= bound).item<bool>())
                << columns << " " << m << " " << (got - expected).abs().max().item<double>();
            step.product(a, m, c, true);  // adds to what is there
            EXPECT_TRUE(at::all((at::from_blob(c.data(), {m, rows}).to(at::kDouble) - 2 * expected).abs() <= 2 * bound)
                            .item<bool>());
            std::vector<float> alone;
            step.product({a.end() - columns, a.end()}, 1, alone, false);
            step.product(a, m, c, false);
            EXPECT_TRUE(std::equal(alone.begin(), alone.end(), c.end() - rows)) << "a row's bits depend on the others";
        }
}

// An adapter that adds less than a bfloat16 weight can hold: weights of the order of 1 are 2^-8 apart, its products are
// below 2^-15. Beside the weight its part of a sum is its own product, but for the last bits of the sum.
TEST(PackedBfloat16, ASmallAdapterIsNotLostInTheWeight) {
    const int64_t columns = 64, m = 3;
    Linear with = narrow_linear(columns);
    with.weight = with.weight.abs() + 1;
    with.projections[0].lora_scale = 1e-5;
    Linear without = with;
    without.projections[0].lora_a = without.projections[0].lora_b = at::Tensor();
    const at::Tensor x = at::cos(at::arange(m * columns, at::kFloat).view({m, columns}) * 0.37);
    std::vector<float> c, plain;
    StepLinear(with, /*may_copy=*/true).product(floats(x), m, c, false);
    StepLinear(without, /*may_copy=*/true).product(floats(x), m, plain, false);
    const Projection& part = with.projections[0];
    const at::Tensor expected = at::mm(at::mm(x, part.lora_a.t()), part.lora_b.t()) * part.lora_scale;
    const auto rows = [&](const std::vector<float>& all) {
        return at::from_blob(const_cast<float*>(all.data()), {m, 75}).narrow(1, 0, part.rows);
    };
    const at::Tensor added = rows(c) - rows(plain);
    ASSERT_GT(expected.abs().max().item<double>(), 1e-5);
    EXPECT_LT((added - expected).norm().item<double>(), 0.1 * expected.norm().item<double>());
}

// Weights that are given away compute the same bits, with and without adapters, tied or not, call after call.
TEST(StepSource, TakesADecoderOver) {
    for (const bool tied : {true, false})
        for (const bool adapted : {false, true}) {
            DecoderConfig config = test::small_config(tied);
            config.vocab_size = 64;  // whole panels
            config.hidden_size = 32;
            config.intermediate_size = 48;
            Decoder decoder = test::lively_decoder(config, at::kFloat);
            if (adapted) {
                Rng rng(1, "lora");
                decoder.add_adapter({.rank = 2, .targets = {"q_proj", "down_proj", "lm_head"}}, rng);
                test::make_adapter_matter(decoder);
            }
            const StepSizes sizes{1, 18};
            const std::vector<int64_t> prompt = {5, 9, 33, 17};
            const auto wanted_logits = StepSource(decoder).open(sizes)->extend({{.tokens = prompt}})[0].logits;
            const auto wanted = test::greedy(*StepSource(decoder).open(sizes), prompt, 6, 64);
            StepSource source(std::move(decoder));
            EXPECT_EQ(source.config().vocab_size, 64);
            for (int turn = 0; turn < 2; ++turn) {
                EXPECT_TRUE(at::equal(source.open(sizes)->extend({{.tokens = prompt}})[0].logits, wanted_logits));
                EXPECT_EQ(test::greedy(*source.open(sizes), prompt, 6, 64), wanted);
                EXPECT_GT(source.row_bytes(18), 0);
            }
        }
}

// Windows that long sequences fill need the whole decoder again: nothing of it is given away.
TEST(StepSource, KeepsADecoderThatOtherStepsNeed) {
    const auto folder = std::filesystem::path(test_source()) / "tests/model/decoders/mistral/model";
    const Decoder decoder = Decoder::load(folder, at::kFloat, at::kCPU);
    const std::vector<int64_t> prompt = {5, 9, 33, 17};
    StepSource source(Decoder::load(folder, at::kFloat, at::kCPU));
    for (const int64_t positions : {int64_t{8}, int64_t{64}}) {
        const StepSizes sizes{1, positions};
        EXPECT_TRUE(at::equal(source.open(sizes)->extend({{.tokens = prompt}})[0].logits,
                              StepSource(decoder).open(sizes)->extend({{.tokens = prompt}})[0].logits));
    }
}

}  // namespace
}  // namespace craft
