#include "english/state_scorer.h"

#include <gmock/gmock.h>

#include "tests/english/error_text.h"
#include "tests/english/small_model.h"

namespace craft {
namespace {

using ::testing::HasSubstr;

// Vectors of one number v become 2 v + 1. Two places, one hidden number of two pieces: in the first place 1 and -1 times
// that, in the second 10 and 0 times it, absent words (3, 4) and (5, 6), bias (0, 1). Moves: 1 and -1 times the hidden
// number, biases 0, 100.
std::vector<test::PackedLayer> small_parser() {
    return {{"precomputable_affine",
             {{"W", test::pack_tensor({2, 1, 2, 1}, {1, -1, 10, 0})},
              {"b", test::pack_tensor({1, 2}, {0, 1})},
              {"pad", test::pack_tensor({1, 2, 1, 2}, {3, 4, 5, 6})}}},
            {"linear", {{"W", test::pack_tensor({2, 1}, {1, -1})}, {"b", test::pack_tensor({2}, {0, 100})}}},
            {"linear", {{"W", test::pack_tensor({1, 1}, {2})}, {"b", test::pack_tensor({1}, {1})}}}};
}

TEST(StateScorer, SumsWhatWordsContribute) {
    const StateModel model(ThincModel(test::pack_model(small_parser()), "model"), 1, 2, 2);
    const std::vector<float> vectors = {1, -3};  // 3 and -5
    StateScorer scorer(model, vectors);
    const auto first_score = [&](int first, int second) {
        const std::vector<float> scores = scorer.scores(std::vector<int>{first, second});
        EXPECT_EQ(scores[1], 100 - scores[0]);
        return scores[0];
    };
    EXPECT_EQ(first_score(0, 1), -2);    // max(3 - 50, -3 + 0 + 1)
    EXPECT_EQ(first_score(1, 0), 25);    // max(-5 + 30, 5 + 0 + 1)
    EXPECT_EQ(first_score(-1, 0), 33);   // max(3 + 30, 4 + 0 + 1)
    EXPECT_EQ(first_score(-1, -1), 11);  // max(3 + 5, 4 + 6 + 1)
}

TEST(StateScorer, ComputesForgottenWordsAgain) {
    const StateModel model(ThincModel(test::pack_model(small_parser()), "model"), 1, 2, 2);
    const std::vector<float> vectors = test::wave(20'000, 0.01F);  // more than it remembers
    StateScorer scorer(model, vectors);
    const auto score_of = [&](int word) { return scorer.scores(std::vector<int>{word, word})[0]; };
    const float before = score_of(5);
    for (int word = 0; word < 20'000; word += 32) score_of(word);
    EXPECT_EQ(score_of(5), before);
    EXPECT_NE(score_of(6), before);
}

TEST(StateScorer, RefusesAModelThatDoesNotFit) {
    const auto refusal = [](size_t width, size_t places, size_t moves, std::vector<test::PackedLayer> layers) {
        return test::error_text([&] { StateModel(ThincModel(test::pack_model(layers), "model"), width, places, moves); });
    };
    EXPECT_THAT(refusal(2, 2, 2, small_parser()), HasSubstr("linear: W: expected a tensor of the shape [1, 2], got [1, 1]"));
    EXPECT_THAT(refusal(1, 8, 2, small_parser()), HasSubstr("shape [8, 1, 2, 1], got [2, 1, 2, 1]"));
    EXPECT_THAT(refusal(1, 2, 3, small_parser()), HasSubstr("shape [3, 1], got [2, 1]"));
    EXPECT_THAT(refusal(1, 2, 2, {small_parser()[0], small_parser()[1]}), HasSubstr("two layers 'linear', got 1"));
}

}  // namespace
}  // namespace craft
