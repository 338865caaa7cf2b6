#include "judge/scorers/change_gains.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "core/error.h"
#include "tests/model/decoder/small_decoder.h"

namespace craft {

namespace {

// A token a letter, but two for one: "th" is 40, so that a change may alter tokens before its own first letter.
struct PairTokenizer : Tokenizer {
    std::vector<int64_t> encode_around(std::string_view text, const std::vector<ByteRange>&) const override {
        std::vector<int64_t> ids;
        for (size_t i = 0; i < text.size(); ++i) {
            const bool is_pair = text.substr(i, 2) == "th";
            ids.push_back(is_pair ? 40 : static_cast<unsigned char>(text[i]) % 37);
            if (is_pair) ++i;
        }
        return ids;
    }
    std::string decode(const std::vector<int64_t>&, bool) const override { return ""; }
    int64_t vocabulary_size() const override { return 61; }
    int64_t id_of(std::string_view) const override { return -1; }
    std::vector<int64_t> leading_tokens() const override { return {1}; }
    int64_t end_token() const override { return 2; }
};

ChangeGains gains_of(const ChangeGainOptions& options, at::ScalarType dtype = at::kFloat, int64_t head_dim = 8) {
    DecoderConfig config = test::small_config();
    config.head_dim = head_dim;
    return {test::lively_decoder(config, dtype), std::make_shared<PairTokenizer>(), options};
}

// The log-probability of a text's tokens by itself, those before `until` (of all, where it is negative).
double plain_logprob(const std::string& text, int64_t head_dim, size_t until = SIZE_MAX) {
    DecoderConfig config = test::small_config();
    config.head_dim = head_dim;
    const Decoder decoder = test::lively_decoder(config, at::kDouble);
    std::vector<int64_t> tokens = PairTokenizer().encode(text, false);
    tokens.insert(tokens.begin(), 1);
    const at::Tensor logits =
        decoder.logits(decoder.hidden(pack({{{}, {{tokens, std::vector<uint8_t>(tokens.size(), 0)}}}}, at::kCPU)));
    const at::Tensor logprobs = logits.to(at::kDouble).log_softmax(-1);
    double sum = 0;
    for (size_t i = 1; i < std::min(until, tokens.size()); ++i)
        sum += logprobs[static_cast<int64_t>(i) - 1][tokens[i]].item<double>();
    return sum;
}

const std::vector<ReplacementQuestion> kQuestions = {
    {"the cat sat on the mat.",
     {{4, 7, "dogs"}, {0, 3, "a"}, {22, 23, "!"}, {3, 3, " old"}, {3, 7, ""}, {4, 4, ""}, {1, 2, "o"}, {23, 23, " so"}}},
    {"", {{0, 0, "yes"}}},
    {"no change at all", {}},
    {"another one that is somewhat longer than the first, so that its keys are more than a block",
     {{8, 11, "two"}, {60, 61, ""}}},
};

// Each change against both texts by themselves, computed in float64 without sharing. Sums of up to 100 log-probabilities of
// float32: 1e-3 covers the rounding; the gains are of order 1 and more. Heads of 16 take the kernels of our own, of 8 the
// library's.
TEST(ChangeGains, AreThoseOfWholeTexts) {
    for (const int64_t head_dim : {8, 16}) {
        const ChangeGainOptions options{.following = 1000, .before = "so: ", .behind = "."};
        const auto gains = gains_of(options, at::kFloat, head_dim).gains(kQuestions);
        ASSERT_EQ(gains.size(), kQuestions.size());
        double largest = 0;
        for (size_t i = 0; i < gains.size(); ++i) {
            const auto& [sentence, changes, needed] = kQuestions[i];
            ASSERT_EQ(gains[i].size(), changes.size());
            for (size_t j = 0; j < changes.size(); ++j) {
                std::string changed = sentence;
                changed.replace(changes[j].begin, changes[j].end - changes[j].begin, changes[j].to);
                const double expected =
                    plain_logprob("so: " + changed + ".", head_dim) - plain_logprob("so: " + sentence + ".", head_dim);
                EXPECT_NEAR(gains[i][j], expected, 1e-3) << sentence << " -> " << changed;
                largest = std::max(largest, std::abs(expected));
            }
        }
        EXPECT_GT(largest, 1);
        EXPECT_EQ(gains[0][5], 0);
    }
}

// bfloat16 rounds values by 2^-9; of gains of order 10 that leaves the first digit.
TEST(ChangeGains, InBfloat16) {
    const ChangeGainOptions options{.following = 4, .behind = "."};
    const auto exact = gains_of(options, at::kFloat, 16).gains(kQuestions);
    const auto rounded = gains_of(options, at::kBFloat16, 16).gains(kQuestions);
    for (size_t i = 0; i < exact.size(); ++i)
        for (size_t j = 0; j < exact[i].size(); ++j)
            EXPECT_NEAR(rounded[i][j], exact[i][j], 0.3 + 0.05 * std::abs(exact[i][j]));
}

// "cat" -> "dog" with two tokens after: [t h e _ c]: the path up to the change is "1 th e _" = 4 tokens, "dog" + "_s" ends
// at token 9 of the changed text, "cat" + "_s" likewise.
TEST(ChangeGains, LookAtSoManyTokensBehind) {
    const auto gains = gains_of({.following = 2, .before = "", .behind = ""}).gains({{"the cat sat", {{4, 7, "dog"}}}});
    EXPECT_NEAR(gains[0][0], plain_logprob("the dog sat", 8, 9) - plain_logprob("the cat sat", 8, 9), 1e-3);
}

// The same numbers whether sentences share a pass or not: within rounding.
TEST(ChangeGains, DoNotDependOnThePass) {
    const auto together = gains_of({.batch_tokens = 100000}).gains(kQuestions);
    const auto apart = gains_of({.batch_tokens = 1}).gains(kQuestions);
    for (size_t i = 0; i < together.size(); ++i)
        for (size_t j = 0; j < together[i].size(); ++j) EXPECT_NEAR(together[i][j], apart[i][j], 1e-3);
}

// What both need is as much more than their first tokens gain as may be made up by what follows, by the mean of the two:
// one of them is given up, and the other is as it is.
TEST(ChangeGains, GiveUpWhatBeginsBadly) {
    ReplacementQuestion question{"the cat sat", {{4, 7, "dog"}, {4, 7, "man"}}};
    const auto first = [&](const std::string& word) {  // "1 t h e _" and the word's first letter
        return plain_logprob("the " + word, 8, 5) - plain_logprob("the cat", 8, 5);
    };
    const double mean = (first("dog") + first("man")) / 2;
    const ChangeGainOptions options{.following = 2, .max_made_up = 3, .before = "", .behind = ""};
    const auto all = gains_of(options).gains({question})[0];
    question.needed = {mean + 3, mean + 3};
    const auto some = gains_of(options).gains({question})[0];
    const size_t better = first("dog") > first("man") ? 0 : 1;
    EXPECT_NEAR(some[better], all[better], 1e-4);
    EXPECT_TRUE(std::isinf(some[1 - better]));
    EXPECT_TRUE(std::isfinite(all[1 - better]));
    question.needed = {0};
    EXPECT_THROW(gains_of(options).gains({question}), Error);
}

TEST(ChangeGains, OfASentenceThatDoesNotFit) {
    const auto gains = gains_of({}).gains({{std::string(300, 'x'), {{0, 1, "y"}}}, {"ab", {{0, 1, "y"}}}});
    EXPECT_TRUE(std::isinf(gains[0][0]));
    EXPECT_LT(gains[0][0], 0);
    EXPECT_TRUE(std::isfinite(gains[1][0]));
}

// With nothing around it a sentence that loses all its tokens, or finds its first ones, has nothing in common with the
// other.
TEST(ChangeGains, OfSentencesWithoutTokens) {
    const ChangeGainOptions bare{.before = "", .behind = ""};
    const auto gains = gains_of(bare).gains({{"", {{0, 0, "yes"}}}, {"cat", {{0, 3, ""}, {0, 1, "b"}}}});
    EXPECT_EQ(gains[0][0], -std::numeric_limits<double>::infinity());
    EXPECT_EQ(gains[1][0], -std::numeric_limits<double>::infinity());
    EXPECT_TRUE(std::isfinite(gains[1][1]));
}

TEST(ChangeGains, LookAtATokenAtLeast) {
    EXPECT_THROW(gains_of({.following = 0}), Error);
    EXPECT_THROW(gains_of({.batch_tokens = 0}), Error);
}

TEST(ChangeGains, ChangesStandWithinTheirSentence) {
    EXPECT_THROW(gains_of({}).gains({{"ab", {{1, 3, "y"}}}}), Error);
    EXPECT_THROW(gains_of({}).gains({{"ab", {{2, 1, "y"}}}}), Error);
}

}  // namespace

}  // namespace craft
