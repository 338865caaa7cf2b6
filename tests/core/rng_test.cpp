#include "core/rng.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

namespace craft {
namespace {

TEST(Rng, StableHashIsXxh64) {
    // Test vectors of the xxHash specification.
    EXPECT_EQ(stable_hash(""), 0xef46db3751d8e999ULL);
    EXPECT_EQ(stable_hash("abc"), 0x44bc2cf5ad770999ULL);
}

// xoshiro256** from the state {1, 2, 3, 4}: the first outputs by hand, result = rotl(s1 * 5, 7) * 9.
TEST(Rng, GeneratorIsXoshiro256StarStar) {
    Rng rng(0, "");
    rng.set_state({1, 2, 3, 4});
    EXPECT_EQ(rng.next(), 11520u);  // 2*5 = 10; 10 << 7 = 1280; * 9
    EXPECT_EQ(rng.state(), (std::array<uint64_t, 4>{7, 0, 262146, 211106232532992}));
    EXPECT_EQ(rng.next(), 0u);
    EXPECT_EQ(rng.next(), 1509978240u);
}

// These values may never change: a seed written in a paper or a manifest must continue meaning the same.
TEST(Rng, StreamsAreFixedForever) {
    EXPECT_EQ(Rng(1, "constraints", 0, 0).next(), 0xf0bdd22bf788e7ceULL);
    EXPECT_EQ(Rng(1, "constraints", 1, 0).next(), 0x67c281094612900eULL);
    EXPECT_EQ(Rng(1, "constraints", 0, 1).next(), 0x88645a2fd4887472ULL);
    EXPECT_EQ(Rng(2, "constraints", 0, 0).next(), 0x6665ab864c9bccddULL);
    EXPECT_EQ(Rng(1, "rollout", 0, 0).next(), 0xf2b0b977d9b03e59ULL);
    EXPECT_EQ(Rng(1, "constraints", "text-17", 3).next(), 0x1cf9e9ae3e82867dULL);
}

TEST(Rng, EveryPartOfTheKeyMakesAnotherStream) {
    std::set<uint64_t> first;
    for (uint64_t seed = 0; seed < 4; ++seed)
        for (const char* stage : {"a", "b", "ab"})
            for (uint64_t item = 0; item < 50; ++item)
                for (uint64_t sample = 0; sample < 10; ++sample) first.insert(Rng(seed, stage, item, sample).next());
    EXPECT_EQ(first.size(), 4u * 3 * 50 * 10);
}

TEST(Rng, BelowIsUniform) {
    Rng rng(5, "uniform");
    std::array<int, 7> counts{};
    constexpr int kDraws = 70000;
    for (int i = 0; i < kDraws; ++i) ++counts[rng.below(7)];
    double chi_square = 0;
    for (const int count : counts) chi_square += std::pow(count - kDraws / 7.0, 2) / (kDraws / 7.0);
    EXPECT_LT(chi_square, 22.5);  // 6 degrees of freedom, p = 0.001
}

// The first values of many streams, as they are used, are as uniform as the values of one.
TEST(Rng, NeighbouringItemsAreIndependent) {
    std::array<int, 8> counts{};
    constexpr int kStreams = 80000;
    for (uint64_t item = 0; item < kStreams; ++item) ++counts[Rng(1, "stage", item).below(8)];
    double chi_square = 0;
    for (const int count : counts) chi_square += std::pow(count - kStreams / 8.0, 2) / (kStreams / 8.0);
    EXPECT_LT(chi_square, 24.3);  // 7 degrees of freedom, p = 0.001
}

TEST(Rng, BetweenHasBothEndsAndTheWholeRange) {
    Rng rng(1, "between");
    std::set<int64_t> seen;
    for (int i = 0; i < 200; ++i) seen.insert(rng.between(-2, 2));
    EXPECT_EQ(seen, (std::set<int64_t>{-2, -1, 0, 1, 2}));
    EXPECT_EQ(rng.between(5, 5), 5);
    EXPECT_NO_THROW(rng.between(INT64_MIN, INT64_MAX));
    EXPECT_THROW(rng.between(1, 0), std::logic_error);
    EXPECT_THROW(rng.below(0), std::logic_error);
}

TEST(Rng, NormalHasMeanNullAndVarianceOne) {
    Rng rng(9, "normal");
    double sum = 0, squares = 0;
    constexpr int kDraws = 100000;
    for (int i = 0; i < kDraws; ++i) {
        const double x = rng.normal();
        sum += x;
        squares += x * x;
    }
    EXPECT_NEAR(sum / kDraws, 0, 4 / std::sqrt(kDraws));  // 4 standard errors
    EXPECT_NEAR(squares / kDraws, 1, 4 * std::sqrt(2.0 / kDraws));
}

TEST(Rng, UniformIsInTheUnitInterval) {
    Rng rng(3, "unit");
    for (int i = 0; i < 1000; ++i) {
        const double x = rng.uniform();
        EXPECT_GE(x, 0);
        EXPECT_LT(x, 1);
    }
}

TEST(Rng, StateGoesOnWhereItWasSaved) {
    Rng rng(4, "save");
    rng.next();
    const auto state = rng.state();
    const uint64_t expected = rng.next();
    Rng other(0, "else");
    other.set_state(state);
    EXPECT_EQ(other.next(), expected);
}

TEST(Rng, ShuffleKeepsTheItems) {
    Rng rng(4, "shuffle");
    std::vector<int> items = {1, 2, 3, 4, 5, 6, 7, 8};
    rng.shuffle(items);
    EXPECT_NE(items, (std::vector<int>{1, 2, 3, 4, 5, 6, 7, 8}));
    EXPECT_EQ(std::set<int>(items.begin(), items.end()).size(), 8u);
}

}  // namespace
}  // namespace craft
