// Prompts that begin alike are computed once for what they share, and nothing else tells.
#include "model/steps/prompt_groups.h"

#include <gtest/gtest.h>

#include <cstring>

#include "model/steps/step_decoder.h"
#include "tests/model/decoder/small_decoder.h"

namespace craft::test {
namespace {

using Tokens = std::vector<int64_t>;

std::vector<PromptGroup> groups_of(const std::vector<Tokens>& prompts) {
    std::vector<const Tokens*> all;
    for (const Tokens& prompt : prompts) all.push_back(&prompt);
    return prompt_groups(all);
}

// `shared` of the same tokens and `own` of others, which begin differently for each `kind`.
Tokens prompt(int64_t shared, int64_t own, int64_t kind) {
    Tokens tokens(static_cast<size_t>(shared), 7);
    for (int64_t i = 0; i < own; ++i) tokens.push_back(10 + (kind + i) % 40);
    return tokens;
}

TEST(PromptGroups, NeighboursThatBeginAlikeShareWholeBlocks) {
    const auto groups =
        groups_of({prompt(70, 5, 0), prompt(70, 9, 1), prompt(100, 1, 2), prompt(20, 80, 3), prompt(3, 2, 4)});
    ASSERT_EQ(groups.size(), 3);  // 64 of 70 for three of them; 16 are too few; the last is too short
    EXPECT_EQ(groups[0].count, 3);
    EXPECT_EQ(groups[0].shared, 64);
    EXPECT_EQ(groups[1].count, 1);
    EXPECT_EQ(groups[1].shared, 0);
    EXPECT_EQ(groups[2].first, 4);
}

TEST(PromptGroups, EachGoesOnBehindWhatIsShared) {
    const Tokens same = prompt(96, 0, 0);
    const auto groups = groups_of({same, same, same});
    ASSERT_EQ(groups.size(), 1);
    EXPECT_EQ(groups[0].count, 3);
    EXPECT_EQ(groups[0].shared, 80);  // 95 would be left to share, in blocks of 16
    EXPECT_TRUE(groups_of({}).empty());
}

TEST(PromptGroups, OneThatSharesMuchLessBeginsItsOwn) {
    const auto groups = groups_of({prompt(200, 3, 0), prompt(200, 3, 1), prompt(90, 3, 2), prompt(90, 3, 3)});
    ASSERT_EQ(groups.size(), 2);
    EXPECT_EQ(groups[0].count, 2);
    EXPECT_EQ(groups[0].shared, 192);
    EXPECT_EQ(groups[1].shared, 80);
}

bool same_bits(const at::Tensor& a, const at::Tensor& b) {
    const at::Tensor x = a.contiguous(), y = b.contiguous();
    return x.sizes() == y.sizes() && std::memcmp(x.const_data_ptr<float>(), y.const_data_ptr<float>(), x.nbytes()) == 0;
}

// Logits of prompts and of the steps behind them, in a batch of many that share their beginnings, and each by itself.
TEST(PromptGroups, LogitsAreThoseOfEachAloneToTheLastBit) {
    DecoderConfig config = small_config();
    config.head_dim = 16;
    config.max_positions = 400;
    for (const auto& [heads, kv_heads] : {std::pair<int64_t, int64_t>{4, 2}, {9, 3}, {2, 2}}) {
        config.heads = heads;
        config.kv_heads = kv_heads;
        const Decoder decoder = lively_decoder(config, at::kFloat);
        Rng rng(2, "prompts");
        const Tokens one = random_tokens(rng, 150, config.vocab_size), other = random_tokens(rng, 64, config.vocab_size);
        std::vector<Tokens> prompts;
        for (const auto& [beginning, count, own] : {std::tuple{&one, 150, 40},
                                                    {&one, 150, 1},
                                                    {&one, 140, 77},
                                                    {&other, 64, 3},
                                                    {&other, 64, 16},
                                                    {&other, 20, 9},
                                                    {&one, 150, 40}}) {
            prompts.emplace_back(beginning->begin(), beginning->begin() + count);
            const Tokens rest = random_tokens(rng, own, config.vocab_size);
            prompts.back().insert(prompts.back().end(), rest.begin(), rest.end());
        }
        StepDecoder together(decoder, 8, 20, 400);
        ASSERT_TRUE(together.shares_beginnings());
        const auto ready = together.prefill(prompts);
        size_t shared = 0;
        for (const PrefilledPrompt& prompt : ready)
            shared += dynamic_cast<const CpuPromptCache&>(*prompt.cache).prefix ? 1 : 0;
        EXPECT_EQ(shared, 5);  // the test means something
        std::vector<int64_t> rows, tokens;
        for (size_t p = 0; p < prompts.size(); ++p) together.begin_row(static_cast<int64_t>(p), ready[p].cache);
        together.begin_row(7, ready[1].cache);  // a second sample of one
        for (int64_t row = 0; row < 8; ++row) rows.push_back(row);
        std::vector<std::unique_ptr<StepDecoder>> alone;
        for (size_t row = 0; row < 8; ++row) {
            alone.push_back(std::make_unique<StepDecoder>(decoder, 1, 20, 400));
            const size_t p = row == 7 ? 1 : row;
            const auto by_itself = alone.back()->prefill({prompts[p]});
            EXPECT_TRUE(same_bits(by_itself[0].logits, ready[p].logits)) << "prompt " << p;
            alone.back()->begin_row(0, by_itself[0].cache);
        }
        for (int step = 0; step < 18; ++step) {
            tokens.assign(8, 0);
            for (int64_t& token : tokens) token = rng.between(0, config.vocab_size - 1);
            const at::Tensor logits = together.step(rows, tokens);
            for (size_t row = 0; row < 8; ++row)
                ASSERT_TRUE(same_bits(alone[row]->step({0}, {tokens[row]})[0], logits[static_cast<int64_t>(row)]))
                    << "step " << step << ", row " << row;
        }
    }
}

}  // namespace
}  // namespace craft::test
