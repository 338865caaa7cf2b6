// What prompts share is computed once, what is kept not again.
#include "model/generate/prefill.h"

#include <gtest/gtest.h>
#include <torch/types.h>

#include <algorithm>
#include <map>

#include "model/steps/step_decoder.h"
#include "tests/model/decoder/small_decoder.h"

namespace craft::test {
namespace {

using Tokens = std::vector<int64_t>;

std::vector<const Tokens*> pointers(const std::vector<Tokens>& prompts) {
    std::vector<const Tokens*> all;
    for (const Tokens& prompt : prompts) all.push_back(&prompt);
    return all;
}

class PrefillTest : public testing::Test {
protected:
    Tokens random(int64_t count) { return random_tokens(rng_, count, config_.vocab_size); }
    // All prompts of a prefill in passes of at most `most` tokens: logits by prompt.
    std::map<size_t, at::Tensor> run(Prefill& prefill, int64_t most) {
        std::map<size_t, at::Tensor> logits;
        while (!prefill.is_done()) {
            const int64_t before = steps_.computed_tokens();
            for (Prefill::Ready& ready : prefill.advance(most)) {
                cached_ += ready.cached_tokens;
                EXPECT_TRUE(logits.emplace(ready.prompt, ready.computed.logits).second);
            }
            EXPECT_LE(steps_.computed_tokens() - before, most);
        }
        return logits;
    }

    Rng rng_{3, "prefill"};
    DecoderConfig config_ = small_config();
    Decoder decoder_ = lively_decoder(config_, at::kFloat);
    StepDecoder steps_{decoder_, 1, 256};
    int64_t cached_ = 0;
};

TEST_F(PrefillTest, PiecesOfAnySizeGiveTheSame) {
    const Tokens beginning = random(100);
    std::vector<Tokens> prompts;
    for (const int64_t own : {30, 1, 60, 17}) {
        prompts.push_back(own == 60 ? random(20) : beginning);
        const Tokens rest = random(own);
        prompts.back().insert(prompts.back().end(), rest.begin(), rest.end());
    }
    std::sort(prompts.begin(), prompts.end());
    std::map<size_t, at::Tensor> wanted;
    for (size_t p = 0; p < prompts.size(); ++p) wanted[p] = steps_.extend({{.tokens = prompts[p]}})[0].logits;
    for (const int64_t most : {1, 7, 64, 100, 4096}) {
        const int64_t before = steps_.computed_tokens();
        Prefill prefill(pointers(prompts), steps_, nullptr);
        const auto logits = run(prefill, most);
        ASSERT_EQ(logits.size(), prompts.size());
        for (const auto& [p, row] : logits) EXPECT_TRUE(at::equal(row, wanted[p])) << most << ", prompt " << p;
        EXPECT_EQ(steps_.computed_tokens() - before, 96 + 3 * 4 + 30 + 1 + 17 + 80) << "what three share is computed once";
    }
    EXPECT_EQ(cached_, 0);
}

TEST_F(PrefillTest, WhatIsKeptIsNotComputedAgain) {
    HistoryStore kept;
    kept.set_max_bytes(int64_t{1} << 30);
    const Tokens beginning = random(77);
    kept.keep(beginning, steps_.extend({{.tokens = beginning}})[0].history);
    std::vector<Tokens> prompts;
    for (const int64_t own : {40, 3}) {
        prompts.push_back(beginning);
        const Tokens rest = random(own);
        prompts.back().insert(prompts.back().end(), rest.begin(), rest.end());
    }
    prompts.emplace_back(beginning.begin(), beginning.begin() + 50);  // its last token gives its logits
    std::sort(prompts.begin(), prompts.end());
    std::map<size_t, at::Tensor> wanted;
    for (size_t p = 0; p < prompts.size(); ++p) wanted[p] = steps_.extend({{.tokens = prompts[p]}})[0].logits;
    const int64_t before = steps_.computed_tokens();
    Prefill prefill(pointers(prompts), steps_, &kept);
    const auto logits = run(prefill, 4096);
    for (const auto& [p, row] : logits) EXPECT_TRUE(at::equal(row, wanted[p])) << p;
    EXPECT_EQ(steps_.computed_tokens() - before, 40 + 3 + 1);
    EXPECT_EQ(cached_, 77 + 77 + 49);
}

}  // namespace
}  // namespace craft::test
