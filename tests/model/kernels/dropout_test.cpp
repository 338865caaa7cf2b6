#include "model/kernels/dropout.h"

#include <ATen/Parallel.h>
#include <ATen/core/PhiloxRNGEngine.h>
#include <gtest/gtest.h>
#include <torch/types.h>

#include <array>

#include "model/kernels/cpu_kernels.h"
#include "model/kernels/cuda/bodies.h"

namespace craft {
namespace {

using Words = std::array<uint32_t, 4>;

Words words_of(uint64_t key, uint64_t low, uint64_t high) {
    const cuda::PhiloxBlock block = cuda::philox(key, low, high);
    return {block.word[0], block.word[1], block.word[2], block.word[3]};
}

// The generator's authors' known answers for Philox4x32-10 (Random123, kat_vectors).
TEST(Philox, GivesItsKnownAnswers) {
    EXPECT_EQ(words_of(0, 0, 0), (Words{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
    EXPECT_EQ(words_of(~uint64_t{0}, ~uint64_t{0}, ~uint64_t{0}), (Words{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
    EXPECT_EQ(words_of(0x299f31d0a4093822, 0x85a308d3243f6a88, 0x0370734413198a2e),
              (Words{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

TEST(Philox, IsThatOfLibTorch) {
    at::Philox4_32 engine(0x123456789abcdef1, /*subsequence=*/77, /*offset=*/5);
    const Words words = words_of(0x123456789abcdef1, 5, 77);
    for (const uint32_t word : words) EXPECT_EQ(word, engine());
}

TEST(Dropout, EveryInstructionSetHasTheSameWords) {
    for (const CpuKernels* kernels : usable_cpu_kernels()) {
        std::vector<uint32_t> words(4 * 37);
        kernels->dropout_words(uint64_t{1} << 63 | 5, 12345, 0xfedcba9876543210, 37, words.data());
        for (int64_t i = 0; i < 37; ++i) {
            const cuda::PhiloxBlock block = cuda::dropout_words(uint64_t{1} << 63 | 5, 12345, 0xfedcba9876543210, i);
            for (int k = 0; k < 4; ++k) EXPECT_EQ(words[static_cast<size_t>(4 * i + k)], block.word[k]) << kernels->name;
        }
    }
}

// 1 where an element stays, else 0.
at::Tensor mask_of(const std::vector<DropoutRows>& rows, int64_t width, double p, uint64_t stream) {
    int64_t count = 0;
    for (const DropoutRows& part : rows) count += part.rows;
    return dropped(at::ones({count, width}), p, dropout_keys(rows, at::kCPU), stream).gt(0).to(at::kDouble);
}

// Each of 400 x 500 elements stays with probability 0.7: its mean has a deviation of sqrt(0.21 / 200000) = 0.001, a product
// of two that are independent, less their means, one of 0.21 / sqrt(200000) = 0.00047. Five of them each.
TEST(Dropout, ElementsStayIndependentlyWithTheirProbability) {
    const at::Tensor mask = mask_of({{400, 9}}, 500, 0.3, 1);
    EXPECT_NEAR(mask.mean().item<double>(), 0.7, 0.005);
    EXPECT_NEAR(mask.mean(0).var().item<double>(), 0.21 / 400, 0.21 / 400 / 3) << "columns alike";
    EXPECT_NEAR(mask.mean(1).var().item<double>(), 0.21 / 500, 0.21 / 500 / 3) << "rows alike";
    const at::Tensor own = mask - 0.7;
    const auto expect_independent = [&](const at::Tensor& other, const char* what) {
        EXPECT_LT((own * (other - 0.7)).mean().abs().item<double>(), 0.0024) << what;
    };
    for (const int64_t shift : {1, 2, 3, 4, 5, 16}) {
        expect_independent(mask.roll(shift, 0), "rows");
        expect_independent(mask.roll(shift, 1), "columns");
    }
    expect_independent(mask_of({{400, 10}}, 500, 0.3, 1), "seeds");
    expect_independent(mask_of({{400, 9 + (uint64_t{1} << 32)}}, 500, 0.3, 1), "seeds that differ in their high halves");
    expect_independent(mask_of({{400, 9}}, 500, 0.3, 2), "streams");
    expect_independent(mask_of({{400, 9}}, 500, 0.3, 1 + (uint64_t{1} << 32)), "streams that differ in their high halves");
}

TEST(Dropout, AMaskIsTheSameWhateverIsComputedBesideIt) {
    const at::Tensor alone = mask_of({{50, 4}}, 33, 0.5, 3);
    const at::Tensor among = mask_of({{7, 1}, {50, 4}, {2, 9}}, 33, 0.5, 3);
    EXPECT_TRUE(at::equal(among.narrow(0, 7, 50), alone));
    EXPECT_TRUE(at::equal(mask_of({{50, 4}}, 100, 0.5, 3).narrow(1, 0, 33), alone));
    const int threads = at::get_num_threads();
    at::set_num_threads(threads == 1 ? 3 : 1);
    EXPECT_TRUE(at::equal(mask_of({{5000, 4}}, 33, 0.5, 3).narrow(0, 0, 50), alone));
    at::set_num_threads(threads);
}

TEST(Dropout, WhatStaysIsDividedByItsProbability) {
    const at::Tensor x = at::linspace(-3, 5, 6 * 40, at::kDouble).view({40, 6}).t();  // not contiguous
    const at::Tensor keys = dropout_keys({{6, 8}}, at::kCPU), mask = mask_of({{6, 8}}, 40, 0.4, 0);
    EXPECT_LT((dropped(x, 0.4, keys, 0) - x * mask / 0.6).abs().max().item<double>(), 1e-15);
    for (const at::ScalarType dtype : {at::kFloat, at::kBFloat16}) {
        const at::Tensor given = x.to(dtype), y = dropped(given, 0.4, keys, 0);
        EXPECT_EQ(y.scalar_type(), dtype);
        EXPECT_TRUE(at::equal(y, (given.to(at::kFloat) * mask.to(at::kFloat) * static_cast<float>(1 / 0.6)).to(dtype)));
    }
    EXPECT_TRUE(at::equal(dropped(x, 0, keys, 0), x));
    EXPECT_ANY_THROW(dropped(x.narrow(0, 0, 5), 0.4, keys, 0));
}

}  // namespace
}  // namespace craft
