#include "model/kernels/packed_weight.h"

#include <gtest/gtest.h>
#include <torch/types.h>

#include <cstring>

#include "model/steps/steps.h"
#include "tests/model/decoder/small_decoder.h"
#include "tests/model/steps/decoder_expectations.h"

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
            const StepSizes sizes{1, 6, 18};
            const std::vector<int64_t> prompt = {5, 9, 33, 17};
            const auto wanted_logits = open_steps(decoder, sizes)->prefill({prompt})[0].logits;
            const auto wanted = test::greedy(*open_steps(decoder, sizes), prompt, 6, 64);
            StepSource source(std::move(decoder));
            EXPECT_EQ(source.config().vocab_size, 64);
            for (int turn = 0; turn < 2; ++turn) {
                EXPECT_TRUE(at::equal(source.open(sizes)->prefill({prompt})[0].logits, wanted_logits));
                EXPECT_EQ(test::greedy(*source.open(sizes), prompt, 6, 64), wanted);
                EXPECT_GT(source.cache_bytes(18), 0);
            }
        }
}

// Windows that long sequences fill need the whole decoder again: nothing of it is given away.
TEST(StepSource, KeepsADecoderThatOtherStepsNeed) {
    const auto folder = std::filesystem::path(CRAFT_TEST_SOURCE) / "tests/model/decoders/mistral/model";
    const Decoder decoder = Decoder::load(folder, at::kFloat, at::kCPU);
    const std::vector<int64_t> prompt = {5, 9, 33, 17};
    StepSource source(Decoder::load(folder, at::kFloat, at::kCPU));
    for (const int64_t positions : {int64_t{8}, int64_t{64}}) {
        const StepSizes sizes{1, 4, positions};
        EXPECT_TRUE(at::equal(source.open(sizes)->prefill({prompt})[0].logits,
                              open_steps(decoder, sizes)->prefill({prompt})[0].logits));
    }
}

}  // namespace
}  // namespace craft
