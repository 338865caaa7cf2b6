#include "model/generate/generate.h"

#include <ATen/Parallel.h>
#include <gtest/gtest.h>
#include <torch/types.h>

#include <csignal>
#include <cstring>
#include <map>
#include <set>

#include "core/error.h"
#include "core/signals.h"
#include "model/steps/step_decoder.h"
#include "tests/model/decoder/small_decoder.h"
#include "tests/model/generate/some_requests.h"
#include "tests/model/steps/extensions.h"
#include "tests/model/tokenizer/small_tokenizer.h"

namespace craft {
namespace {

using test::adapted_decoder;
using test::lively_decoder;
using test::random_tokens;
using test::small_config;
using test::some_requests;

at::Tensor full_logits(const Decoder& d, const std::vector<int64_t>& row) {
    const at::NoGradGuard guard;
    const at::Tensor hidden = d.hidden(pack({{row, {{{}, {}}}}}, at::kCPU));
    return d.logits(hidden.narrow(0, hidden.size(0) - 1, 1)).squeeze(0);
}

TEST(StepDecoder, LogitsEqualTheFullForwardPass) {
    const Decoder d = adapted_decoder();
    StepDecoder steps(d, 5, 256);
    Rng rng(1, "steps");
    std::vector<std::vector<int64_t>> rows = {random_tokens(rng, 1, 61), random_tokens(rng, 17, 61),
                                              random_tokens(rng, 32, 61)};
    const auto prompts = steps.extend(test::whole(rows));
    for (size_t i = 0; i < rows.size(); ++i) {
        EXPECT_LT((prompts[i].logits - full_logits(d, rows[i])).abs().max().item<double>(), 2e-4);
        steps.begin_row(static_cast<int64_t>(i), prompts[i].history);
    }
    for (int t = 0; t < 40; ++t) {  // across two key blocks and a half
        std::vector<int64_t> fed;
        for (auto& row : rows) row.push_back(fed.emplace_back(rng.between(0, 60)));
        const at::Tensor logits = steps.step({0, 1, 2}, fed);
        for (size_t i = 0; i < rows.size(); ++i) {
            const at::Tensor got = logits[static_cast<int64_t>(i)];
            ASSERT_LT((got - full_logits(d, rows[i])).abs().max().item<double>(), 2e-4) << t;
        }
    }
    EXPECT_THROW(steps.step({0, 0}, {1, 61}), Error);
}

TEST(StepDecoderDeathTest, AStopDoesNotWaitForThePrompt) {
    const auto stop = [] {
        const Decoder d = adapted_decoder();
        StepDecoder steps(d, 1, 256);
        stop_as_by(SIGTERM);
        try {
            steps.extend(test::whole({{1, 2, 3}}));
        } catch (const Stopped& stopped) {
            std::_Exit(stopped.signal());
        }
        std::_Exit(0);
    };
    EXPECT_EXIT(stop(), testing::ExitedWithCode(SIGTERM), "");
}

TEST(Generate, GreedyIsTheArgMaxOfTheFullForwardPass) {
    const Decoder d = adapted_decoder();
    const auto requests = some_requests(7);
    const auto results =
        generate(d, nullptr, requests, {.max_new_tokens = 30, .sampling = {.temperature = 0}, .max_batch_rows = 3});
    for (size_t i = 0; i < requests.size(); ++i) {
        std::vector<int64_t> row = requests[i].prompt;
        const Generated& result = results[i].at(0);
        EXPECT_EQ(result.prompt_tokens, static_cast<int64_t>(row.size()));
        EXPECT_EQ(result.new_tokens, 30);
        EXPECT_FALSE(result.finished);
        for (const int64_t token : result.tokens) {
            // The chosen token's logit may differ from the largest by the rounding of two ways of computing it.
            const at::Tensor logits = full_logits(d, row);
            ASSERT_LT((logits.max() - logits[token]).item<double>(), 4e-4);
            row.push_back(token);
        }
    }
}

TEST(Generate, TellsTheTokensLogprobBeforeTemperature) {
    const Decoder d = adapted_decoder();
    const std::vector<GenerateRequest> requests = some_requests(3, 2);
    for (const double temperature : {0.0, 0.7}) {
        GenerateOptions options{.max_new_tokens = 6, .sampling = {temperature, 0.8, 20}};
        EXPECT_FALSE(generate(d, nullptr, requests, options)[0][0].logprob) << "nobody asked";
        options.logprobs = true;
        const auto generated = generate(d, nullptr, requests, options);
        for (size_t r = 0; r < requests.size(); ++r)
            for (const Generated& one : generated[r]) {
                std::vector<int64_t> row = requests[r].prompt;
                double expected = 0;
                for (const int64_t token : one.tokens) {
                    expected += full_logits(d, row).to(at::kDouble).log_softmax(0)[token].item<double>();
                    row.push_back(token);
                }
                EXPECT_NEAR(one.logprob.value(), expected, 1e-4);
                EXPECT_LT(*one.logprob, 0);
            }
    }
}

TEST(Generate, WhatRunsBesideChangesNothing) {
    const Decoder d = adapted_decoder();
    const auto requests = some_requests(23, 3);
    GenerateOptions options{.max_new_tokens = 40, .stop_tokens = {7, 8}, .seed = 5};
    options.sampling = {.temperature = 1.3, .top_p = .95};
    const auto together = generate(d, nullptr, requests, options);
    for (const int64_t rows : {1, 2, 5}) {
        options.max_batch_rows = rows;
        options.prefill_tokens = 50;
        const auto others = generate(d, nullptr, requests, options);
        for (size_t i = 0; i < requests.size(); ++i)
            for (size_t k = 0; k < 3; ++k) ASSERT_EQ(together[i][k].tokens, others[i][k].tokens) << rows;
    }
    std::vector<GenerateRequest> reversed(requests.rbegin(), requests.rend());
    const auto backwards = generate(d, nullptr, reversed, options);
    for (size_t i = 0; i < requests.size(); ++i)
        EXPECT_EQ(together[i][1].tokens, backwards[requests.size() - 1 - i][1].tokens);
    const int threads = at::get_num_threads();
    at::set_num_threads(1);
    const auto single = generate(d, nullptr, requests, options);
    at::set_num_threads(threads);
    for (size_t i = 0; i < requests.size(); ++i) EXPECT_EQ(together[i][2].tokens, single[i][2].tokens);
}

TEST(Generate, SamplesOfOnePromptEqualSeparateOnes) {
    const Decoder d = adapted_decoder();
    auto requests = some_requests(4, 6);
    const GenerateOptions options{.max_new_tokens = 25, .stop_tokens = {3}, .seed = 2, .stage = "rollout"};
    const auto shared = generate(d, nullptr, requests, options);
    for (size_t i = 0; i < requests.size(); ++i) {
        for (uint64_t k = 0; k < 6; ++k) {
            GenerateRequest one = requests[i];
            one.samples = 1;
            one.first_sample = k;
            EXPECT_EQ(generate(d, nullptr, {one}, options)[0][0].tokens, shared[i][k].tokens);
        }
        EXPECT_NE(shared[i][0].tokens, shared[i][1].tokens);
    }
    GenerateOptions other = options;
    other.seed = 3;
    EXPECT_NE(generate(d, nullptr, requests, other)[0][0].tokens, shared[0][0].tokens);
    other = options;
    other.stage = "eval";
    EXPECT_NE(generate(d, nullptr, requests, other)[0][0].tokens, shared[0][0].tokens);
}

// A request is told of when its last sample is done, while others are still to be made: what ends the call costs those
// alone.
TEST(Generate, RequestsAreToldAsTheyAreDone) {
    const Decoder d = adapted_decoder();
    auto requests = some_requests(5);
    for (GenerateRequest& request : requests) request.samples = 2;
    const GenerateOptions options{.max_new_tokens = 8, .max_batch_rows = 1};
    std::map<size_t, std::vector<std::vector<int64_t>>> told;
    const auto tokens_of = [](const std::vector<Generated>& samples) {
        std::vector<std::vector<int64_t>> tokens;
        for (const Generated& sample : samples) tokens.push_back(sample.tokens);
        return tokens;
    };
    const auto results = generate(d, nullptr, requests, options, [&](size_t request, const std::vector<Generated>& samples) {
        EXPECT_TRUE(told.emplace(request, tokens_of(samples)).second) << "told twice";
    });
    ASSERT_EQ(told.size(), 5u);
    for (size_t i = 0; i < requests.size(); ++i) EXPECT_EQ(told[i], tokens_of(results[i]));
    int heard = 0;
    EXPECT_THROW(generate(d, nullptr, requests, options,
                          [&](size_t, const std::vector<Generated>&) {
                              if (++heard == 2) throw Error("no room");
                          }),
                 Error);
    EXPECT_EQ(heard, 2);
}

// Each token is the arg-max of what the rules make of the full forward pass, and its log-probability that of the model.
TEST(Generate, RulesSeePromptAndAnswer) {
    const Decoder d = adapted_decoder();
    auto requests = some_requests(5);
    const GenerateOptions options{
        .max_new_tokens = 12,
        .sampling = {.temperature = 0},
        .rules = {.repetition_penalty = 1.5, .no_repeat_ngram_size = 2, .min_new_tokens = 11, .forced_eos_token_id = {9}},
        .stop_tokens = {7, 8},
        .logprobs = true,
        .max_batch_rows = 3};
    const LogitProcessor rules(options.rules, options.stop_tokens);
    const auto unstopped = generate(d, nullptr, requests, options);
    for (size_t i = 0; i < requests.size(); ++i) requests[i].stop_tokens = {unstopped[i][0].tokens[2]};
    const auto results = generate(d, nullptr, requests, options);
    LogitProcessor::Scratch scratch;
    for (size_t i = 0; i < requests.size(); ++i) {
        const Generated& result = results[i].at(0);
        ASSERT_EQ(result.tokens.size(), 12u);
        EXPECT_EQ(result.tokens.back(), 9);
        std::vector<int64_t> row = requests[i].prompt, tokens;
        double logprob = 0;
        for (const int64_t token : result.tokens) {
            const at::Tensor logits = full_logits(d, row).contiguous();
            const float* const ruled = rules.apply(logits.const_data_ptr<float>(), 61,
                                                   {requests[i].prompt, tokens, 12, requests[i].stop_tokens}, scratch);
            ASSERT_LT(*std::max_element(ruled, ruled + 61) - ruled[token], 4e-4);
            logprob += logits.to(at::kDouble).log_softmax(0)[token].item<double>();
            row.push_back(token);
            tokens.push_back(token);
        }
        EXPECT_NEAR(result.logprob.value(), logprob, 1e-4);
        const std::set<int64_t> ends = {7, 8, requests[i].stop_tokens[0]};
        EXPECT_EQ(std::count_if(tokens.begin(), tokens.end() - 1, [&](int64_t t) { return ends.count(t) > 0; }), 0);
    }
    const auto free = generate(d, nullptr, requests, {.max_new_tokens = 12, .sampling = {.temperature = 0}});
    EXPECT_NE(free[0][0].tokens, results[0][0].tokens);
}

TEST(Generate, StopsAtStopTokensAndLimits) {
    const Decoder d = adapted_decoder();
    const auto requests = some_requests(30);
    const auto free = generate(d, nullptr, requests, {.max_new_tokens = 50, .seed = 4});
    const auto stopped = generate(d, nullptr, requests, {.max_new_tokens = 50, .stop_tokens = {11, 12, 13}, .seed = 4});
    int64_t finished = 0;
    for (size_t i = 0; i < requests.size(); ++i) {
        const auto& all = free[i][0].tokens;
        const auto first = std::find_if(all.begin(), all.end(), [](int64_t t) { return t >= 11 && t <= 13; });
        EXPECT_EQ(stopped[i][0].finished, first != all.end());
        EXPECT_EQ(stopped[i][0].tokens, std::vector<int64_t>(all.begin(), first == all.end() ? first : first + 1));
        finished += stopped[i][0].finished ? 1 : 0;
    }
    EXPECT_GT(finished, 5);
    Rng rng(3, "long");
    const std::vector<GenerateRequest> nearly_full = {{random_tokens(rng, 253, 61)}};
    EXPECT_EQ(generate(d, nullptr, nearly_full, {})[0][0].tokens.size(), 3u);  // positions end at 256
    EXPECT_FALSE(generate(d, nullptr, nearly_full, {})[0][0].finished);
    EXPECT_EQ(generate(d, nullptr, requests, {.max_new_tokens = 1})[0][0].tokens.size(), 1u);
    EXPECT_TRUE(generate(d, nullptr, {}, {}).empty());
}

TEST(Generate, StopStringsCutTheText) {
    const test::TokenizerFolder folder("generate");
    const auto tokenizer = open_tokenizer(folder.path);
    DecoderConfig config = small_config();
    config.vocab_size = tokenizer->vocabulary_size();
    const Decoder d = lively_decoder(config, at::kFloat);
    Rng rng(2, "stop");
    std::vector<GenerateRequest> requests;
    for (uint64_t i = 0; i < 20; ++i) requests.push_back({random_tokens(rng, 5, 400), i});
    const auto free = generate(d, tokenizer.get(), requests, {.max_new_tokens = 60});
    const auto cut = generate(d, tokenizer.get(), requests, {.max_new_tokens = 60, .stop_strings = {"th", "e", "12"}});
    int64_t finished = 0;
    for (size_t i = 0; i < requests.size(); ++i) {
        const std::string& text = free[i][0].text;
        const size_t at = std::min({text.find("th"), text.find("e"), text.find("12")});
        EXPECT_EQ(cut[i][0].text, text.substr(0, at));
        EXPECT_EQ(cut[i][0].finished, at != std::string::npos);
        EXPECT_LE(cut[i][0].new_tokens, free[i][0].new_tokens);
        finished += at != std::string::npos ? 1 : 0;
    }
    EXPECT_GT(finished, 5);
    EXPECT_THROW(generate(d, nullptr, requests, {.stop_strings = {"x"}}), Error);
    EXPECT_THROW(generate(d, tokenizer.get(), requests, {.stop_strings = {""}}), Error);
}

// small_config: 3 layers, 2 heads of keys and values, 8 floats a key; the kernels pad a value to 16, and 60 positions to
// four pages: 64 * 3 * 2 * (8 + 16) * 4 bytes.
TEST(Generate, RowsAreAsManyAsTheCacheHolds) {
    const Decoder d = adapted_decoder();
    EXPECT_EQ(row_bytes(d, 60), 64 * 576);
    DecoderConfig capped = small_config();
    capped.logit_cap = 5;  // LibTorch's operations: nothing is padded
    Rng rng(1, "capped");
    EXPECT_EQ(row_bytes(Decoder::initialise(capped, rng), 60), 60 * 3 * 2 * (8 + 8) * 4);
    // One row at a time gives what many give.
    const auto requests = some_requests(6, 2);
    const auto tokens_with = [&](int64_t bytes) {
        std::vector<std::vector<int64_t>> all;
        for (const auto& samples : generate(d, nullptr, requests, {.max_new_tokens = 12, .cache_bytes = bytes}))
            for (const Generated& one : samples) all.push_back(one.tokens);
        return all;
    };
    EXPECT_EQ(tokens_with(1), tokens_with(0));
    EXPECT_EQ(StepSource(d).default_cache_bytes(), int64_t{2} << 30);
}

// Each of 8 rows takes 576 bytes a position for 5 + 12 of them, in two pages: two rows fit where a byte is missing for a
// third.
TEST(Generate, ASmallCacheRunsFewerRowsAtOnce) {
    const Decoder d = adapted_decoder();
    Rng rng(4, "prompts of 5");
    std::vector<GenerateRequest> requests;
    for (uint64_t i = 0; i < 8; ++i) requests.push_back({random_tokens(rng, 5, 61), i});
    // Of the tokens computed until the first request is done, each row has 5 of its prompt and 11 new ones.
    const auto rows_at_once = [&](int64_t cache_bytes) {
        StepSource source(d);
        const auto stop_at_first = [](size_t, const std::vector<Generated>&) { throw Error("one is done"); };
        EXPECT_THROW(generate(source, nullptr, requests, {.max_new_tokens = 12, .cache_bytes = cache_bytes}, stop_at_first),
                     Error);
        return static_cast<double>(source.computed_tokens()) / (5 + 11);
    };
    EXPECT_EQ(rows_at_once(0), 8);
    EXPECT_EQ(rows_at_once(3 * 32 * 576 - 1), 2);
    EXPECT_EQ(rows_at_once(1), 1);
}

TEST(Generate, ASourceGeneratesAgainAndAgain) {
    const Decoder d = adapted_decoder();
    StepSource source(d);
    for (const int64_t count : {3, 7}) {
        const auto requests = some_requests(count);
        const auto once = generate(d, nullptr, requests, {.max_new_tokens = 9});
        const auto again = generate(source, nullptr, requests, {.max_new_tokens = 9});
        for (size_t i = 0; i < requests.size(); ++i) EXPECT_EQ(once[i][0].tokens, again[i][0].tokens);
    }
}

TEST(Generate, RefusesBadRequests) {
    const Decoder d = adapted_decoder();
    EXPECT_THROW(generate(d, nullptr, {{{}}}, {}), Error);
    EXPECT_THROW(generate(d, nullptr, {{{1, 61}}}, {}), Error);
    EXPECT_THROW(generate(d, nullptr, {{{1}, 0, 0}}, {}), Error);
    EXPECT_THROW(generate(d, nullptr, {{std::vector<int64_t>(256, 1)}}, {}), Error);
    EXPECT_THROW(generate(d, nullptr, {{{1}}}, {.max_new_tokens = 0}), Error);
    EXPECT_THROW(generate(d, nullptr, {{{1}}}, {.sampling = {.temperature = -1}}), Error);
    EXPECT_THROW(generate(d, nullptr, {{{1}}}, {.rules = {.no_repeat_ngram_size = -1}}), Error);
}

}  // namespace
}  // namespace craft
