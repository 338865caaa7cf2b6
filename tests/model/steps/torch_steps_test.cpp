// Histories of LibTorch's operations, on every stored architecture: windows, caps, positions that turn by the length.
#include "model/steps/torch_steps.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "core/error.h"
#include "tests/model/decoder/small_decoder.h"
#include "tests/source.h"

namespace craft::test {
namespace {

using Tokens = std::vector<int64_t>;

// Both sides add some hundred float32 products in different orders.
constexpr double kTolerance = 2e-4;

double apart(const at::Tensor& a, const at::Tensor& b) {
    return (a - b).abs().max().item<double>();
}

TEST(TorchSteps, WhatGoesOnBehindAHistoryIsThatOfTheWhole) {
    int64_t whole_again = 0, folders = 0;
    for (const auto& entry :
         std::filesystem::directory_iterator(std::filesystem::path(test_source()) / "tests/model/decoders")) {
        if (!entry.is_directory()) continue;
        ++folders;
        const std::string name = entry.path().filename();
        const Decoder decoder = Decoder::load(entry.path() / "model", at::kFloat, at::kCPU);
        const DecoderConfig& config = decoder.config();
        const int64_t count = config.learned_positions ? std::min<int64_t>(50, config.max_positions - 4) : 50,
                      cut = count / 2;
        Rng rng(3, "tokens of " + name);
        const Tokens tokens = random_tokens(rng, count, config.vocab_size);
        const Tokens first(tokens.begin(), tokens.begin() + cut), rest(tokens.begin() + cut, tokens.end());
        TorchSteps steps(decoder, {2, count + 4});
        const Extended whole = steps.extend({{.tokens = tokens}})[0];
        const Extended begun = steps.extend({{.tokens = first}})[0];
        const int64_t before = steps.computed_tokens();
        const Extended behind = steps.extend({{.before = begun.history, .tokens = rest}, {.tokens = first}})[0];
        EXPECT_EQ(behind.history->length, count);
        EXPECT_LT(apart(behind.logits, whole.logits), kTolerance) << name;
        const int64_t computed = steps.computed_tokens() - before - cut;
        EXPECT_TRUE(computed == count - cut || computed == count) << name << ": " << computed;
        whole_again += computed == count ? 1 : 0;
        // As rows they continue alike, and so does what a row holds.
        steps.begin_row(0, whole.history);
        steps.begin_row(1, behind.history);
        const at::Tensor next = steps.step({0, 1}, {5, 5}).clone();
        EXPECT_LT(apart(next[0], next[1]), kTolerance) << name;
        const std::shared_ptr<const History> held = steps.history_of(1);
        EXPECT_EQ(held->length, count + 1);
        steps.end_row(1);
        steps.begin_row(1, held);
        const at::Tensor after = steps.step({0, 1}, {9, 9}).clone();
        EXPECT_LT(apart(after[0], after[1]), kTolerance) << name;
        // What a history begins with is a history, where tokens do not turn by what follows them.
        if (const auto shorter = steps.beginning(whole.history, cut, count)) {
            EXPECT_EQ(shorter->length, cut);
            EXPECT_LT(apart(steps.extend({{.before = shorter, .tokens = rest}})[0].logits, whole.logits), kTolerance)
                << name;
        }
        EXPECT_GT(steps.bytes_held(), 0);
        EXPECT_THROW(steps.extend({{.before = whole.history, .tokens = Tokens(5, 1)}}), Error) << name;
        EXPECT_THROW(steps.extend({{.before = whole.history, .tokens = {}}}), Error) << name;
    }
    EXPECT_EQ(folders, 22);
    EXPECT_GT(whole_again, 0) << "longrope and dynamic turn all tokens by the length";
    EXPECT_LT(whole_again, 4);
}

}  // namespace
}  // namespace craft::test
