#include "model/generate/logit_rules.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "core/error.h"

namespace craft {
namespace {

using testing::ElementsAre;
using Ids = std::vector<int64_t>;

constexpr float kNever = -std::numeric_limits<float>::infinity();
const std::vector<float> kLogits = {1, -2, 0.5F, 3, -1, 2};

struct Answer {
    Ids prompt = {3, 1}, tokens = {};
    int64_t limit = 10;
    Ids own_stop_tokens = {};
};

// kLogits under the rules; 5 ends a sequence.
std::vector<float> ruled(const LogitRules& rules, const Answer& answer = {}) {
    check_logit_rules(rules, 6);
    LogitProcessor::Scratch scratch;
    const float* const row =
        LogitProcessor(rules, {5})
            .apply(kLogits.data(), 6, {answer.prompt, answer.tokens, answer.limit, answer.own_stop_tokens}, scratch);
    return {row, row + 6};
}

TEST(LogitRules, WithoutRulesTheRowItselfIsGiven) {
    LogitProcessor::Scratch scratch;
    const LogitProcessor none({.min_new_tokens = 0}, {5});
    EXPECT_FALSE(none.any());
    EXPECT_EQ(none.apply(kLogits.data(), 6, {Ids{3, 1}, {}}, scratch), kLogits.data());
    EXPECT_TRUE(scratch.logits.empty());
}

// Once a token, however often it stands there: 3 / 2, 2 / 2, -2 * 2.
TEST(LogitRules, RepetitionIsPenalisedInPromptAndAnswer) {
    EXPECT_THAT(ruled({.repetition_penalty = 2}, {{3, 1, 3}, {5, 5}}), ElementsAre(1, -4, 0.5F, 1.5F, -1, 1));
    EXPECT_THAT(ruled({.repetition_penalty = 0.5}, {{3, 1}, {}}), ElementsAre(1, -1, 0.5F, 6, -1, 2)) << "rewarded";
}

// So far 3 1 2 3 1 4 3 1: after "3 1" came 2 and 4, after "1" too; after "4 3 1" nothing.
TEST(LogitRules, NoNgramComesTwice) {
    const Answer answer{{3, 1, 2, 3}, {1, 4, 3, 1}};
    for (const int64_t size : {2, 3})
        EXPECT_THAT(ruled({.no_repeat_ngram_size = size}, answer), ElementsAre(1, -2, kNever, 3, kNever, 2)) << size;
    EXPECT_EQ(ruled({.no_repeat_ngram_size = 4}, answer), kLogits);
    EXPECT_EQ(ruled({.no_repeat_ngram_size = 40}, answer), kLogits);
    EXPECT_THAT(ruled({.no_repeat_ngram_size = 1}, answer), ElementsAre(1, kNever, kNever, kNever, kNever, 2));
}

// The last tokens are 1 2: 0 gets 1 + 4; 3 gets nothing, as 2 2 does not stand before it; 4 gets -1 + 0.5 + 0.25.
TEST(LogitRules, BiasesOfSequencesThatMatchAreAdded) {
    const LogitRules rules{.sequence_bias = {{{1, 2, 0}, 4}, {{2, 2, 3}, -9}, {{4}, 7}, {{2, 4}, 0.25}, {{4}, 0.5}}};
    EXPECT_THAT(ruled(rules, {{1}, {2}}), ElementsAre(5, -2, 0.5F, 3, -0.25F, 2));
    EXPECT_THAT(ruled(rules, {{2}}), ElementsAre(1, -2, 0.5F, 3, -0.25F, 2)) << "longer than what there is";
}

TEST(LogitRules, BadWordsAreNotCompleted) {
    const LogitRules rules{.bad_words_ids = {{1, 2, 0}, {2, 2, 3}, {4}, {5}, {2, 5}}};
    EXPECT_THAT(ruled(rules, {{1}, {2}}), ElementsAre(kNever, -2, 0.5F, 3, kNever, kNever));
    EXPECT_THAT(ruled(rules, {{2, 1}}), ElementsAre(1, -2, 0.5F, 3, kNever, 2)) << "a stop token alone is no bad word";
}

TEST(LogitRules, NothingEndsBeforeItsLeastLength) {
    const std::vector<float> endless = {1, -2, 0.5F, 3, -1, kNever};
    EXPECT_EQ(ruled({.min_length = 4}, {{3, 1}, {0}}), endless) << "the prompt counts";
    EXPECT_EQ(ruled({.min_length = 4}, {{3, 1}, {0, 0}}), kLogits);
    EXPECT_EQ(ruled({.min_new_tokens = 2}, {{3, 1}, {0}}), endless) << "the prompt does not count";
    EXPECT_EQ(ruled({.min_new_tokens = 2}, {{3, 1}, {0, 0}}), kLogits);
    EXPECT_EQ(ruled({.min_length = 4, .min_new_tokens = 0}, {{3}, {0}}), kLogits) << "new tokens' bound is the only one";
    EXPECT_THAT(ruled({.min_new_tokens = 1}, {{3, 1}, {}, 10, {4}}), ElementsAre(1, -2, 0.5F, 3, kNever, kNever));
}

TEST(LogitRules, TheFirstAndTheLastTokenAreForced) {
    EXPECT_THAT(ruled({.forced_bos_token_id = 2}, {{3}}), ElementsAre(kNever, kNever, 0, kNever, kNever, kNever));
    EXPECT_EQ(ruled({.forced_bos_token_id = 2}, {{3, 1}}), kLogits) << "behind a prompt of one token alone";
    const LogitRules last{.forced_eos_token_id = {5, 2}};
    EXPECT_THAT(ruled(last, {{3, 1}, {0, 0}, 3}), ElementsAre(kNever, kNever, 0, kNever, kNever, 0));
    EXPECT_EQ(ruled(last, {{3, 1}, {0, 0}, 4}), kLogits);
}

TEST(LogitRules, SuppressedTokensAreNotChosen) {
    EXPECT_THAT(ruled({.suppress_tokens = {-1, 3, 6, int64_t{1} << 40}}, {{3, 1}, {0}}),
                ElementsAre(1, -2, 0.5F, kNever, -1, 2));
    EXPECT_THAT(ruled({.begin_suppress_tokens = {0}}), ElementsAre(kNever, -2, 0.5F, 3, -1, 2));
    EXPECT_EQ(ruled({.begin_suppress_tokens = {0}}, {{3, 1}, {4}}), kLogits);
    // After a forced token the answer begins one later.
    const LogitRules forced{.forced_bos_token_id = 0, .begin_suppress_tokens = {0}};
    EXPECT_THAT(ruled(forced, {{3}}), ElementsAre(0, kNever, kNever, kNever, kNever, kNever));
    EXPECT_THAT(ruled(forced, {{3}, {0}}), ElementsAre(kNever, -2, 0.5F, 3, -1, 2));
    EXPECT_THAT(ruled(forced, {{3, 1}}), ElementsAre(kNever, -2, 0.5F, 3, -1, 2));
}

// The bias comes before the penalty: (-1 + 3) / 2 and not -1 * 2 + 3; what is forced, after what is forbidden.
TEST(LogitRules, GoInTransformersOrder) {
    EXPECT_EQ(ruled({.sequence_bias = {{{4}, 3}}, .repetition_penalty = 2}, {{4}})[4], 1);
    EXPECT_EQ(ruled({.min_length = 9, .forced_eos_token_id = {5}}, {{3, 1}, {}, 1})[5], 0);
}

TEST(LogitRules, NoTokenLeftIsAnError) {
    EXPECT_THROW(ruled({.suppress_tokens = {0, 1, 2, 3, 4, 5}}), Error);
    EXPECT_THROW(ruled({.forced_eos_token_id = {5}, .suppress_tokens = {5}}, {{3, 1}, {}, 1}), Error);
}

TEST(LogitRules, SenselessOnesAreRefused) {
    for (const LogitRules& bad : std::vector<LogitRules>{{.sequence_bias = {{{}, 1}}},
                                                         {.sequence_bias = {{{6}, 1}}},
                                                         {.sequence_bias = {{{1}, INFINITY}}},
                                                         {.repetition_penalty = 0},
                                                         {.repetition_penalty = NAN},
                                                         {.repetition_penalty = 1e-40},
                                                         {.no_repeat_ngram_size = -1},
                                                         {.bad_words_ids = {{1, -1}}},
                                                         {.bad_words_ids = {{}}},
                                                         {.min_length = -1},
                                                         {.min_new_tokens = -1},
                                                         {.forced_bos_token_id = 6},
                                                         {.forced_eos_token_id = {1, 6}}})
        EXPECT_THROW(check_logit_rules(bad, 6), Error);
    EXPECT_NO_THROW(check_logit_rules({.suppress_tokens = {-1, 60}}, 6));
}

}  // namespace
}  // namespace craft
