// What is chosen from logits on the GPU, against the sampler on the CPU; and whole generation against the CPU's.
#include <cmath>
#include <limits>

#include "core/error.h"
#include "model/generate/device_sampler.h"
#include "model/generate/generate.h"
#include "tests/model/decoder/small_decoder.h"
#include "tests/model/gpu.h"

namespace craft::test {
namespace {

constexpr float kNone = -std::numeric_limits<float>::infinity();

class GenerateGpu : public Gpu {
protected:
    // The same choices as the sampler's, row by row, and their log-probabilities (float32 sums, logits of some 10).
    static void expect_as_on_the_cpu(const at::Tensor& logits, const Sampling& sampling, const std::string& what) {
        const int64_t vocabulary = logits.size(1);
        std::vector<double> draws;
        std::vector<Choice> expected;
        std::vector<float> scratch;
        for (int64_t row = 0; row < logits.size(0); ++row) {
            Rng rng(static_cast<uint64_t>(row), "draws"), same(static_cast<uint64_t>(row), "draws");
            if (sampling.temperature > 0) draws.push_back(same.uniform());
            const at::Tensor own = logits[row].contiguous();
            const float* const values = own.const_data_ptr<float>();
            Choice choice;
            choice.token = sampling.temperature == 0 ? greedy_token(values, vocabulary)
                                                     : sample_token(values, vocabulary, sampling, rng, scratch);
            choice.logprob = token_logprob(values, vocabulary, choice.token, scratch);
            expected.push_back(choice);
        }
        const auto got = choose_tokens(logits.to(device()), sampling, draws, /*logprobs=*/true);
        ASSERT_EQ(got.size(), expected.size());
        for (size_t i = 0; i < got.size(); ++i) {
            EXPECT_EQ(got[i].token, expected[i].token) << what << ", row " << i;
            EXPECT_NEAR(got[i].logprob, expected[i].logprob, 1e-5) << what << ", row " << i;
        }
    }
};

TEST_F(GenerateGpu, ChoosesWhatTheSamplerChooses) {
    for (const int64_t vocabulary : {1, 61, 1000, 5003}) {
        const at::Tensor peaked = (noise({40, vocabulary}, 1) * 4).to(at::kFloat),
                         flat = noise({40, vocabulary}, 2).to(at::kFloat);
        // Steps of 1/2: hardly a logit is the only one of its size.
        const at::Tensor equal = (flat * 2).round() / 2;
        at::Tensor sparse = flat.clone();  // most tokens have no probability
        sparse.masked_fill_(noise({40, vocabulary}, 3) > 0.1, kNone).select(1, vocabulary / 2).fill_(1);
        int kind = 0;
        for (const at::Tensor& logits : {peaked, flat, equal, sparse}) {
            const std::string what = std::to_string(vocabulary) + ", kind " + std::to_string(kind++);
            for (const Sampling sampling :
                 {Sampling{0}, Sampling{1}, Sampling{0.7}, Sampling{1, 1, 1}, Sampling{1.3, 1, 50}, Sampling{1, 0.95},
                  Sampling{2, 0.99}, Sampling{1, 1e-9}, Sampling{0.8, 0.9, 20}, Sampling{1, 0.5, 900}, Sampling{1e-20, 0.9},
                  Sampling{.temperature = 0.8, .min_p = 0.1}, Sampling{.top_p = 0.9, .typical_p = 0.8, .eta_cutoff = 0.01}})
                expect_as_on_the_cpu(logits, sampling,
                                     what + ", T " + std::to_string(sampling.temperature) + ", p " +
                                         std::to_string(sampling.top_p) + ", k " + std::to_string(sampling.top_k));
        }
    }
}

TEST_F(GenerateGpu, OfEqualLogitsTheFirstIsTheGreedyOne) {
    at::Tensor logits = at::zeros({3, 4096});
    logits[0][17] = logits[0][3000] = logits[0][18] = 2;
    logits[2][4095] = 1e-6F;
    const auto got = choose_tokens(logits.to(device()), {.temperature = 0}, {}, true);
    EXPECT_EQ(got[0].token, 17);
    EXPECT_EQ(got[1].token, 0);
    EXPECT_EQ(got[2].token, 4095);
    EXPECT_NEAR(got[1].logprob, -std::log(4096), 1e-6);
    EXPECT_NEAR(got[0].logprob, 2 - std::log(3 * std::exp(2) + 4093), 1e-6);
}

// Both ends of what can be drawn, where weights are equal: ids 1, 3 and 5 of six.
TEST_F(GenerateGpu, DrawsGoByRisingId) {
    const at::Tensor logits = at::tensor({kNone, 0.0F, kNone, 0.0F, kNone, 0.0F}).expand({5, 6}).contiguous();
    const std::vector<double> draws = {0, 0.333, 0.334, 0.666, std::nextafter(1.0, 0.0)};
    for (const Sampling sampling : {Sampling{1}, Sampling{1, 0.999999}, Sampling{1, 1, 2}}) {
        const auto got = choose_tokens(logits.to(device()), sampling, draws, false);
        for (const auto& [row, token] : {std::pair{0, 1}, {1, 1}, {2, 3}, {3, 3}, {4, 5}})
            EXPECT_EQ(got[static_cast<size_t>(row)].token, token) << row << ", " << sampling.top_p << ", " << sampling.top_k;
    }
}

TEST_F(GenerateGpu, LogitsThatAreNoNumbersAreErrors) {
    for (const float bad : {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
        at::Tensor logits = at::zeros({2, 300});
        logits[1][299] = bad;
        for (const Sampling sampling : {Sampling{0}, Sampling{1}, Sampling{1, 1, 5}, Sampling{1, 0.9}})
            EXPECT_THROW(choose_tokens(logits.to(device()), sampling, {0.5, 0.5}, false), Error) << sampling.top_p;
    }
    EXPECT_THROW(choose_tokens(at::full({1, 8}, kNone).to(device()), {.temperature = 0}, {}, false), Error);
}

// float32 on both sides: rounding alone differs, and some hundred draws do not fall that near to where two tokens meet.
TEST_F(GenerateGpu, GenerationIsThatOfTheCpu) {
    const TemporaryFolder folder;
    lively_decoder(small_config(), at::kFloat).save(folder.path(), at::kFloat);
    const Decoder cpu = Decoder::load(folder.path(), at::kFloat, at::kCPU),
                  gpu = Decoder::load(folder.path(), at::kFloat, device());
    std::vector<GenerateRequest> requests;
    Rng rng(9, "prompts");
    for (uint64_t i = 0; i < 6; ++i) requests.push_back({random_tokens(rng, rng.between(1, 45), 61), 100 + i, 2});
    const LogitRules none, some{.repetition_penalty = 1.3, .no_repeat_ngram_size = 3, .min_new_tokens = 4};
    for (const auto& [sampling, rules] : {std::pair{Sampling{0}, none},
                                          {Sampling{1}, none},
                                          {Sampling{1.2, 0.9}, none},
                                          {Sampling{1, 1, 8}, none},
                                          {Sampling{.min_p = 0.1}, none},
                                          {Sampling{0}, some},
                                          {Sampling{1.2, 0.9}, some}}) {
        const GenerateOptions options{.max_new_tokens = 12,
                                      .sampling = sampling,
                                      .rules = rules,
                                      .stop_tokens = {7, 8},
                                      .logprobs = true,
                                      .seed = 4,
                                      .max_batch_rows = 5,
                                      .prefill_tokens = 100};
        const auto expected = generate(cpu, nullptr, requests, options), got = generate(gpu, nullptr, requests, options);
        for (size_t i = 0; i < requests.size(); ++i)
            for (size_t k = 0; k < 2; ++k) {
                EXPECT_EQ(got[i][k].tokens, expected[i][k].tokens) << i << ", " << k << ", " << sampling.top_p;
                EXPECT_NEAR(*got[i][k].logprob, *expected[i][k].logprob, 1e-3);
            }
    }
}

}  // namespace
}  // namespace craft::test
