// What is computed once: for later turns, for prompts that begin alike, in pieces.
#include <gtest/gtest.h>

#include <filesystem>

#include "model/generate/generate.h"
#include "model/steps/steps.h"
#include "tests/model/generate/some_requests.h"
#include "tests/source.h"

namespace craft::test {
namespace {

// Five turns, each after the last one's answer and some tokens more; the same tokens as without, and none computed twice.
TEST(Generate, ASessionComputesTheTokensOfItsFinalHistory) {
    DecoderConfig config = small_config();
    config.max_positions = 600;
    const Decoder d = lively_decoder(config, at::kFloat);
    for (const int64_t samples : {1, 3}) {
        StepSource kept(d), fresh(d);
        GenerateOptions options{.max_new_tokens = 30, .stop_tokens = {7, 8}, .seed = 5};
        Rng rng(7, "turns");
        std::vector<std::vector<int64_t>> histories(static_cast<size_t>(samples), random_tokens(rng, 50, 61));
        int64_t cached = 0;
        for (int turn = 0; turn < 5; ++turn) {
            std::vector<GenerateRequest> requests;
            if (turn == 0)
                requests.push_back({histories[0], 1, samples});
            else
                for (int64_t k = 0; k < samples; ++k)
                    requests.push_back({histories[static_cast<size_t>(k)], 1, 1, static_cast<uint64_t>(k)});
            options.stage = "turn " + std::to_string(turn);
            options.keep_histories = false;
            const auto wanted = generate(fresh, nullptr, requests, options);
            options.keep_histories = true;
            const auto answers = generate(kept, nullptr, requests, options);
            for (size_t k = 0; k < histories.size(); ++k) {
                const Generated &one = turn == 0 ? answers[0][k] : answers[k][0],
                                &other = turn == 0 ? wanted[0][k] : wanted[k][0];
                ASSERT_EQ(one.tokens, other.tokens);
                EXPECT_EQ(other.cached_tokens, 0);
                cached += one.cached_tokens;
                histories[k].insert(histories[k].end(), one.tokens.begin(), one.tokens.end());
                if (turn == 4) continue;
                const auto more = random_tokens(rng, 20, 61);
                histories[k].insert(histories[k].end(), more.begin(), more.end());
            }
        }
        // The last token of an answer is computed with what follows it: the very last never.
        int64_t final_tokens = -50 * (samples - 1);
        for (const auto& history : histories) final_tokens += std::ssize(history) - 1;
        EXPECT_EQ(kept.computed_tokens(), final_tokens);
        EXPECT_GT(cached, 4 * 50 * samples);
        EXPECT_GT(fresh.computed_tokens(), 2 * final_tokens);
    }
}

// A history that does not begin as the kept one did is computed from there on; a budget that holds none computes all.
TEST(Generate, HistoriesThatAreNotKeptAreComputed) {
    const Decoder d = adapted_decoder();
    Rng rng(8, "rewritten");
    GenerateOptions options{.max_new_tokens = 20, .sampling = {.temperature = 0}, .keep_histories = true};
    const GenerateRequest first = {random_tokens(rng, 60, 61), 1};
    StepSource source(d);
    GenerateRequest next = first;
    const Generated answer = generate(source, nullptr, {first}, options)[0][0];
    next.prompt.insert(next.prompt.end(), answer.tokens.begin(), answer.tokens.end());
    next.prompt[40] = (next.prompt[40] + 1) % 61;  // a template that tells earlier turns otherwise
    const Generated rewritten = generate(source, nullptr, {next}, options)[0][0];
    EXPECT_EQ(rewritten.cached_tokens, 40);
    StepSource fresh(d);
    options.keep_histories = false;
    EXPECT_EQ(rewritten.tokens, generate(fresh, nullptr, {next}, options)[0][0].tokens);
    StepSource small(d);
    options.keep_histories = true;
    options.cache_bytes = row_bytes(d, 100);  // what a row takes leaves no room for what it leaves behind
    generate(small, nullptr, {first}, options);
    const Generated again = generate(small, nullptr, {next}, options)[0][0];
    EXPECT_EQ(again.cached_tokens, 0);
    EXPECT_EQ(again.tokens, rewritten.tokens);
    EXPECT_GT(small.histories().dropped(), 0);
}

// Windows that a longer prompt fills need other Steps: what those kept for short prompts is of no use to them, and the other
// way round.
TEST(Generate, HistoriesOfOtherStepsAreLeftAlone) {
    const auto folder = std::filesystem::path(test_source()) / "tests/model/decoders/mistral/model";
    const Decoder decoder = Decoder::load(folder, at::kFloat, at::kCPU);
    Rng rng(2, "window");
    const std::vector<int64_t> prompt = random_tokens(rng, 5, decoder.config().vocab_size);
    GenerateOptions options{.max_new_tokens = 3, .sampling = {.temperature = 0}, .keep_histories = true};
    std::vector<GenerateRequest> requests(2);
    requests[0].prompt = requests[1].prompt = prompt;
    const auto more = random_tokens(rng, 60, decoder.config().vocab_size);
    requests[1].prompt.insert(requests[1].prompt.end(), more.begin(), more.end());
    ASSERT_TRUE(runs_on_step_decoder(decoder, 8));
    ASSERT_FALSE(runs_on_step_decoder(decoder, 68));
    for (const auto& [first, second] : {std::pair<size_t, size_t>{0, 1}, {1, 0}}) {
        StepSource source(decoder);
        generate(source, nullptr, {requests[first]}, options);
        const Generated one = generate(source, nullptr, {requests[second]}, options)[0][0];
        EXPECT_EQ(one.tokens, generate(decoder, nullptr, {requests[second]}, options)[0][0].tokens);
        EXPECT_EQ(one.cached_tokens, 0);
    }
}

// However few rows run at once: what prompts share is computed once.
TEST(Generate, FewRowsComputeNoMore) {
    const Decoder d = adapted_decoder();
    Rng rng(6, "texts");
    std::vector<GenerateRequest> requests;
    for (int text = 0; text < 2; ++text) {
        const auto beginning = random_tokens(rng, 96, 61);
        for (int64_t i = 0; i < 5; ++i) {
            requests.push_back({beginning, static_cast<uint64_t>(requests.size())});
            const auto own = random_tokens(rng, 10 + i, 61);
            requests.back().prompt.insert(requests.back().prompt.end(), own.begin(), own.end());
        }
    }
    const auto computed_with = [&](int64_t rows, int64_t pass) {
        StepSource source(d);
        generate(source, nullptr, requests, {.max_new_tokens = 4, .max_batch_rows = rows, .prefill_tokens = pass});
        return source.computed_tokens();
    };
    const int64_t all = computed_with(96, 4096);
    EXPECT_EQ(all, 2 * (96 + 10 + 11 + 12 + 13 + 14) + 10 * 3);
    for (const int64_t rows : {1, 2, 3}) EXPECT_EQ(computed_with(rows, 4096), all) << rows;
    EXPECT_EQ(computed_with(96, 50), all);
    EXPECT_EQ(computed_with(4, 0), all) << "a pass of no tokens is one of one";
}

TEST(Generate, PromptsInPiecesGiveTheSame) {
    const Decoder d = adapted_decoder();
    auto requests = some_requests(9, 2);
    GenerateOptions options{.max_new_tokens = 12, .seed = 4, .max_batch_rows = 4};
    const auto wanted = generate(d, nullptr, requests, options);
    for (const int64_t piece : {1, 5, 30}) {
        options.piece_tokens = piece;
        options.prefill_tokens = 40;
        const auto got = generate(d, nullptr, requests, options);
        for (size_t i = 0; i < requests.size(); ++i)
            for (size_t k = 0; k < 2; ++k) ASSERT_EQ(wanted[i][k].tokens, got[i][k].tokens) << piece;
    }
}

}  // namespace
}  // namespace craft::test
