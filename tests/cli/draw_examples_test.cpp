// A part of the examples is drawn by the seed.
#include <gtest/gtest.h>

#include "cli/training.h"

namespace craft {
namespace {

Examples numbered(int64_t count) {
    Examples examples;
    for (int64_t i = 0; i < count; ++i) {
        examples.trees.emplace_back();
        examples.trees.back().prefix = {i};
    }
    return examples;
}

std::vector<int64_t> numbers(const Examples& examples) {
    std::vector<int64_t> all;
    for (const TokenTree& tree : examples.trees) all.push_back(tree.prefix.at(0));
    return all;
}

std::vector<int64_t> drawn(int64_t count, uint64_t seed) {
    Examples examples = numbered(50);
    draw_examples(examples, count, 0, seed);
    return numbers(examples);
}

TEST(DrawExamples, SetsOfSeveralSizesLieWithinEachOther) {
    const std::vector<int64_t> ten = drawn(10, 1), twenty = drawn(20, 1);
    EXPECT_EQ(ten.size(), 10u);
    EXPECT_TRUE(std::is_sorted(ten.begin(), ten.end()));
    EXPECT_TRUE(std::includes(twenty.begin(), twenty.end(), ten.begin(), ten.end()));
    EXPECT_EQ(drawn(10, 1), ten);
    EXPECT_NE(drawn(10, 2), ten);
    EXPECT_NE(ten, numbers(numbered(10)));
}

TEST(DrawExamples, CountsWhatIsLeftOut) {
    Examples examples = numbered(50);
    draw_examples(examples, 12, 0, 1);
    EXPECT_EQ(examples.dropped.at("not drawn"), 38);
    for (const int64_t all : {0, 50, 51}) {
        examples = numbered(50);
        draw_examples(examples, all, 0, 1);
        EXPECT_EQ(examples.trees.size(), 50u);
        EXPECT_TRUE(examples.dropped.empty());
    }
}

// Examples of 10 tokens: the fourth one makes 35 full.
TEST(DrawExamples, StopWhereTheTokensAreReached) {
    const auto of_tokens = [](int64_t count, int64_t tokens) {
        Examples examples = numbered(50);
        for (TokenTree& tree : examples.trees) tree.branches = {{.tokens = std::vector<int64_t>(9), .counted = {}}};
        draw_examples(examples, count, tokens, 1);
        return numbers(examples);
    };
    EXPECT_EQ(of_tokens(0, 35), drawn(4, 1));
    EXPECT_EQ(of_tokens(0, 40), drawn(4, 1));
    EXPECT_EQ(of_tokens(2, 35), drawn(2, 1));
    EXPECT_EQ(of_tokens(0, 500).size(), 50u);
    EXPECT_EQ(of_tokens(0, 0).size(), 50u);
}

}  // namespace
}  // namespace craft
