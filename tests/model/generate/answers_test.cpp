// Generation by an encoder-decoder.
#include <gtest/gtest.h>
#include <torch/types.h>

#include "model/generate/generate.h"
#include "tests/core/temporary_folder.h"
#include "tests/model/small_t5.h"

namespace craft {
namespace {

class Answers : public testing::Test {
protected:
    Answers() {
        test::make_t5(folder_.path(), test::t5_config_json(37));
        decoder_ = Decoder::load(folder_.path(), at::kFloat, at::kCPU);
        for (uint64_t i = 0; i < 5; ++i) {
            std::vector<int64_t> prompt;
            for (uint64_t t = 0; t < 3 + 7 * i; ++t) prompt.push_back(static_cast<int64_t>(2 + (t * (i + 3)) % 35));
            requests_.push_back({.prompt = prompt, .item = i});
        }
        options_.max_new_tokens = 70;  // more than the rows that are held at first
        options_.stop_tokens = decoder_.config().end_tokens;
        options_.logprobs = true;
    }
    const TemporaryFolder folder_;
    Decoder decoder_;
    std::vector<GenerateRequest> requests_;
    GenerateOptions options_;
};

// What a sample is does not depend on what runs beside it, nor on how many are sampled.
TEST_F(Answers, AreTheSameAloneAndTogether) {
    options_.sampling = {.temperature = 1};
    for (GenerateRequest& request : requests_) request.samples = 3;
    const auto together = generate(decoder_, nullptr, requests_, options_);
    options_.max_batch_rows = 2;
    const auto by_twos = generate(decoder_, nullptr, requests_, options_);
    for (size_t i = 0; i < requests_.size(); ++i)
        for (size_t k = 0; k < 3; ++k) {
            GenerateRequest alone = requests_[i];
            alone.samples = 1;
            alone.first_sample = k;
            EXPECT_EQ(together[i][k].tokens, generate(decoder_, nullptr, {alone}, options_)[0][0].tokens);
            EXPECT_EQ(together[i][k].tokens, by_twos[i][k].tokens);
        }
    EXPECT_NE(together[0][0].tokens, together[0][1].tokens);
}

TEST_F(Answers, HaveTheLogProbabilitiesOfThePackedModel) {
    const auto made = generate(decoder_, nullptr, requests_, options_);
    const at::NoGradGuard guard;
    for (size_t i = 0; i < requests_.size(); ++i) {
        std::vector<int64_t> tokens = made[i][0].tokens;
        tokens.insert(tokens.begin(), decoder_.config().start_token);
        std::vector<uint8_t> counted(tokens.size(), 1);
        counted[0] = 0;
        const at::Tensor logprobs = target_logprobs(decoder_, pack({{requests_[i].prompt, {{tokens, counted}}}}, at::kCPU));
        EXPECT_NEAR(made[i][0].logprob.value(), logprobs.sum().item<double>(), 1e-3);
        EXPECT_EQ(made[i][0].prompt_tokens, static_cast<int64_t>(requests_[i].prompt.size()));
    }
}

// A penalty looks at what is answered, not at what the encoder read.
TEST_F(Answers, RulesSeeTheAnswerAlone) {
    options_.rules.no_repeat_ngram_size = 1;
    options_.max_new_tokens = 30;
    for (const auto& samples : generate(decoder_, nullptr, requests_, options_)) {
        std::vector<int64_t> tokens = samples[0].tokens;
        std::sort(tokens.begin(), tokens.end());
        EXPECT_EQ(std::adjacent_find(tokens.begin(), tokens.end()), tokens.end());
        EXPECT_EQ(std::count(tokens.begin(), tokens.end(), decoder_.config().start_token), 0);
    }
}

}  // namespace
}  // namespace craft
