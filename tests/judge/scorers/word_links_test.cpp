#include "judge/scorers/word_links.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace craft {
namespace {

using Links = std::vector<std::pair<size_t, size_t>>;

TEST(WordLinks, ScaleToUnit) {
    std::vector<double> values = {3, 1, 2};
    scale_to_unit(values);
    EXPECT_THAT(values,
                testing::ElementsAre(testing::DoubleEq(1), testing::DoubleNear(0, 1e-9), testing::DoubleNear(0.5, 1e-9)));
    std::vector<double> equal = {7, 7};
    scale_to_unit(equal);
    EXPECT_EQ(equal, (std::vector<double>{1, 1}));
    std::vector<double> none;
    scale_to_unit(none);
    EXPECT_TRUE(none.empty());
}

// Cosines 1, 0, 0, 1 are similarities 1, .5, .5, 1. Places 0 and 1 are 1 apart, so that at a distortion of .2 those off the
// diagonal are .4; scaled 1, 0, 0, 1.
TEST(WordLinks, CostIsOneMinusScaledLikeness) {
    const WordMatrix cost = alignment_cost({2, 2, {1, 0, 0, 1}}, 0.2);
    EXPECT_THAT(cost.values, testing::Pointwise(testing::DoubleNear(1e-9), {0.0, 1.0, 1.0, 0.0}));
    // Three words to two, all alike (cosine 0, similarity .5): places 0, .5, 1 and 0, 1. Of .5 remain .5, .4, .475, .475,
    // .4, .5; scaled 1, 0, .75, .75, 0, 1.
    const WordMatrix placed = alignment_cost({3, 2, {0, 0, 0, 0, 0, 0}}, 0.2);
    EXPECT_THAT(placed.values, testing::Pointwise(testing::DoubleNear(1e-8), {0.0, 1.0, 0.25, 0.25, 1.0, 0.0}));
}

TEST(WordLinks, ATextOfOneWordHasNoPlaces) {
    // Likenesses .5 and .75 whatever the distortion: scaled 0 and 1.
    const WordMatrix cost = alignment_cost({1, 2, {0, 0.5}}, 0.9);
    EXPECT_THAT(cost.values, testing::Pointwise(testing::DoubleNear(1e-8), {1.0, 0.0}));
}

TEST(WordLinks, PlanAndThreshold) {
    const WordMatrix cost = alignment_cost({2, 2, {1, 0, 0, 1}}, 0);
    const WordMatrix plan = alignment_plan(cost, {});
    EXPECT_EQ(alignment_links(plan, 0.4), (Links{{0, 0}, {1, 1}}));
    EXPECT_EQ(alignment_links({2, 2, {0.4, 0.41, 0.1, 1}}, 0.4), (Links{{0, 1}, {1, 1}})) << "more than the threshold";
    EXPECT_TRUE(alignment_links(alignment_plan({}, {}), 0.4).empty());
}

// A third word of the source is like nothing: its weight may stay, so that it has no link, and more so the smaller tau is.
TEST(WordLinks, WordsMayStayAlone) {
    const WordMatrix cost = alignment_cost({3, 2, {0.9, -0.2, -0.1, 0.8, -0.3, -0.3}}, 0);
    EXPECT_EQ(alignment_links(alignment_plan(cost, {}), 0.4), (Links{{0, 0}, {1, 1}}));
    const auto third = [&](double tau) { return alignment_plan(cost, {.tau = tau}).values.at(5); };
    EXPECT_LT(third(0.3), third(5));
}

TEST(WordLinks, WordsWithoutLinksMayStandInOnePlace) {
    // a B C d e -> a x d Y: B and C stand where x does, e where Y does.
    EXPECT_EQ(unlinked_in_one_place(5, 4, {{0, 0}, {3, 2}}), (Links{{1, 1}, {2, 1}, {4, 3}}));
    EXPECT_EQ(unlinked_in_one_place(2, 2, {}), (Links{{0, 0}, {0, 1}, {1, 0}, {1, 1}}));
    EXPECT_TRUE(unlinked_in_one_place(2, 2, {{0, 0}, {1, 1}}).empty());
    // What is between crossed links has no place.
    EXPECT_TRUE(unlinked_in_one_place(3, 3, {{0, 2}, {2, 0}}).empty());
    // A word with several links reaches from the first to the last of them.
    EXPECT_EQ(unlinked_in_one_place(2, 4, {{0, 0}, {0, 2}}), (Links{{1, 3}}));
    EXPECT_TRUE(unlinked_in_one_place(0, 3, {}).empty());
}

}  // namespace
}  // namespace craft
