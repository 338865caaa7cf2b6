#include "judge/scorers/word_states.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <torch/types.h>

#include <map>

#include "tests/core/temporary_folder.h"
#include "tests/judge/scorers/letter_tokenizer.h"
#include "tests/source.h"

namespace craft {
namespace {

const std::string kBert = test_source("/tests/model/encoders/bert/model");  // 24 positions, 2 layers

Encoder small_bert() {
    return Encoder::load(kBert, at::kFloat, at::kCPU);
}

WordEncoder word_encoder(int64_t layer = -1, const test::LetterTokenizer& tokenizer = {}) {
    return {small_bert(), std::make_shared<test::LetterTokenizer>(tokenizer), layer};
}

PairTokens words_of(size_t first, size_t second, size_t tokens = 1) {
    PairTokens pair{{}, first};
    for (size_t i = 0; i < first + second; ++i) pair.words.emplace_back(tokens, static_cast<int64_t>(6 + i % 26));
    return pair;
}

TEST(WordStates, AWordIsTheMeanOfItsTokens) {
    const WordEncoder encoder = word_encoder(-2);
    const PairTokens pair = encoder.read({"ab", "c"}, {"d"});
    EXPECT_EQ(pair.words, (std::vector<std::vector<int64_t>>{{6, 7}, {8}, {9}}));
    EXPECT_EQ(encoder.tokens_of(pair), 7);
    const WordStates states = encoder.states({&pair}, 100).at(0);
    Encoder plain = small_bert();
    plain.keep_layers(1);  // of two layers the one before the last
    const at::Tensor hidden = plain.hidden({{.ids = {0, 6, 7, 8, 2, 9, 2}, .types = {0, 0, 0, 0, 0, 1, 1}}})[0];
    EXPECT_TRUE(at::allclose(states.vectors[0], (hidden[1] + hidden[2]) / 2, 1e-5, 1e-6));
    EXPECT_TRUE(at::allclose(states.vectors[1], hidden[3], 1e-5, 1e-6));
    EXPECT_TRUE(at::allclose(states.vectors[2], hidden[5], 1e-5, 1e-6));
    EXPECT_EQ(states.tokens, 7);
    EXPECT_TRUE(at::allclose(states.token_sum, hidden.to(at::kDouble).sum(0), 1e-5, 1e-5));
}

TEST(WordStates, LayersFromEitherEnd) {
    const auto first_word = [](int64_t layer) {
        const WordEncoder encoder = word_encoder(layer);
        const PairTokens pair = encoder.read({"ab"}, {"c"});
        return encoder.states({&pair}, 100).at(0).vectors[0];
    };
    EXPECT_TRUE(at::equal(first_word(-1), first_word(2)));
    EXPECT_TRUE(at::equal(first_word(-3), first_word(0)));
    EXPECT_FALSE(at::allclose(first_word(-1), first_word(-2)));
}

TEST(WordStates, PairsDoNotSeeEachOther) {
    const WordEncoder encoder = word_encoder();
    const PairTokens one = encoder.read({"ab", "c"}, {"d"}), two = encoder.read({"x"}, {"yz", "w", "q"});
    const std::vector<WordStates> together = encoder.states({&one, &two}, 100), apart = encoder.states({&one, &two}, 1);
    ASSERT_EQ(together.size(), 2u);
    for (size_t i = 0; i < 2; ++i) EXPECT_TRUE(at::allclose(together[i].vectors, apart[i].vectors, 1e-5, 1e-6));
    EXPECT_TRUE(encoder.states({}, 100).empty());
}

TEST(PairWindows, APairThatFitsIsOne) {
    const test::LetterTokenizer tokenizer;
    const std::vector<PairWindow> windows = pair_windows(tokenizer, words_of(11, 10), 24);  // 21 tokens and 3 around
    ASSERT_EQ(windows.size(), 1u);
    EXPECT_EQ(windows[0].row.ids.size(), 24u);
    EXPECT_EQ(windows[0].owners.front(), -1);
    EXPECT_EQ(windows[0].owners[1], 0);
    EXPECT_EQ(windows[0].owners[12], -1);
    EXPECT_EQ(windows[0].owners[13], 11);
    EXPECT_EQ(windows[0].row.types[12], 0);
    EXPECT_EQ(windows[0].row.types[13], 1);
}

// Whatever the lengths: each token is somebody's in one window only, all of a word's in the same, and every window fits.
TEST(PairWindows, EveryWordIsReadOnce) {
    const test::LetterTokenizer tokenizer;
    for (const size_t tokens : {1u, 2u})
        for (const size_t first : {0u, 1u, 5u, 12u, 13u, 22u, 57u, 200u})
            for (const size_t second : {0u, 1u, 9u, 21u, 80u}) {
                const PairTokens pair = words_of(first, second, tokens);
                std::map<int64_t, std::vector<size_t>> seen;
                const std::vector<PairWindow> windows = pair_windows(tokenizer, pair, 24);
                for (size_t w = 0; w < windows.size(); ++w) {
                    EXPECT_LE(windows[w].row.ids.size(), 24u);
                    EXPECT_EQ(windows[w].row.ids.size(), windows[w].owners.size());
                    EXPECT_EQ(windows[w].row.ids.size(), windows[w].row.types.size());
                    for (const int64_t owner : windows[w].owners)
                        if (owner >= 0) seen[owner].push_back(w);
                }
                EXPECT_EQ(seen.size(), first + second) << first << " " << second << " " << tokens;
                for (const auto& [word, in] : seen) {
                    EXPECT_EQ(in.size(), tokens) << word;
                    EXPECT_EQ(in.front(), in.back()) << word;
                }
            }
}

// 40 words of a token each, 21 places for both texts, 10 of them for the first: parts of 5 words, before and after which
// there are some more.
TEST(PairWindows, WordsSeeWhatIsAroundThem) {
    const std::vector<PairWindow> windows = pair_windows(test::LetterTokenizer(), words_of(40, 40), 24);
    EXPECT_EQ(windows.size(), 8u);
    const std::vector<int64_t>& owners = windows[4].owners;  // words 20 to 24
    EXPECT_EQ(std::vector<int64_t>(owners.begin() + 1, owners.begin() + 11),
              (std::vector<int64_t>{-1, -1, 20, 21, 22, 23, 24, -1, -1, -1}));
}

TEST(PairWindows, EndlessWordsAreCut) {
    PairTokens pair{{std::vector<int64_t>(1000, 6), {7}, std::vector<int64_t>(1000, 8)}, 2};
    for (const PairWindow& window : pair_windows(test::LetterTokenizer(), pair, 24)) EXPECT_LE(window.row.ids.size(), 24u);
}

TEST(WordStates, WhatCannotBeRead) {
    const auto refusal = [](int64_t layer, const test::LetterTokenizer& tokenizer) {
        return message_of([&] { word_encoder(layer, tokenizer); });
    };
    EXPECT_THAT(refusal(3, {}), testing::HasSubstr("a layer from -3 to 2, got 3"));
    EXPECT_THAT(refusal(-4, {}), testing::HasSubstr("a layer from -3 to 2, got -4"));
    test::LetterTokenizer large, bare;
    large.size = 41;
    bare.around = {};
    EXPECT_THAT(refusal(-1, large), testing::HasSubstr("a tokenizer of at most 40 tokens, got 41"));
    EXPECT_THAT(refusal(-1, bare), testing::HasSubstr("a tokenizer that adds tokens around a text"));
    EXPECT_THAT(message_of([] {
                    WordEncoder(Encoder::load(test_source("/tests/model/encoders/roberta/model"), at::kFloat, at::kCPU),
                                std::make_shared<test::LetterTokenizer>(), -1);
                }),
                testing::HasSubstr("by token types (BERT), got Roberta"));
    EXPECT_THAT(message_of([] { pair_windows(test::LetterTokenizer(), {}, 10); }), testing::HasSubstr("got 10 positions"));
}

}  // namespace
}  // namespace craft
