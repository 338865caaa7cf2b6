#include "metrics/statistics/agreement.h"

#include <gtest/gtest.h>

#include <stdexcept>

namespace craft {
namespace {

using Marks = std::vector<int64_t>;

TEST(QuadraticKappa, WeighsHowFarMarksLieApart) {
    EXPECT_EQ(quadratic_kappa({1, 3, 5}, {1, 3, 5}), 1);
    // Observed (0 + 1 + 0 + 4) / 4 = 5/4. Expected: of 1 with {1,3,3,3}: 12, of 2: 1 + 3 = 4, of 3: 4, of 5: 16 + 12 = 28,
    // in all 48 / 16 = 3. 1 - 5/12 = 7/12.
    EXPECT_NEAR(*quadratic_kappa({1, 2, 3, 5}, {1, 3, 3, 3}), 7. / 12, 1e-12);
    // Opposite marks: observed (16 + 16) / 2, expected (0 + 16 + 16 + 0) / 4 = 8: 1 - 2.
    EXPECT_NEAR(*quadratic_kappa({1, 5}, {5, 1}), -1, 1e-12);
}

TEST(QuadraticKappa, IsAbsentWhereNobodyCouldDisagree) {
    EXPECT_FALSE(quadratic_kappa({}, {}));
    EXPECT_FALSE(quadratic_kappa({4, 4}, {4, 4}));
    EXPECT_NEAR(*quadratic_kappa({4, 4}, {3, 4}), 0, 1e-12);  // one rater knows one mark only: chance is all there is
    EXPECT_THROW(quadratic_kappa({1}, {1, 2}), std::logic_error);
}

// Krippendorff 2011, "Computing Krippendorff's Alpha-Reliability", D: four observers, twelve units, marks missing.
TEST(OrdinalAlpha, IsKrippendorffsOnHisExample) {
    const std::vector<Marks> units = {{1, 1, 1},    {2, 2, 3, 2}, {3, 3, 3, 3}, {3, 3, 3, 3}, {2, 2, 2, 2}, {1, 2, 3, 4},
                                      {4, 4, 4, 4}, {1, 1, 2, 1}, {2, 2, 2, 2}, {5, 5, 5},    {1, 1},       {3}};
    EXPECT_NEAR(*ordinal_alpha(units), .815, .0005);
}

// Counts: 1 twice, 2 once, 3 once. d(1,2) = (3 - 1.5)² = 9/4, d(1,3) = (4 - 1.5)² = 25/4, d(2,3) = (2 - 1)² = 1.
// Observed: (1,2) twice and (1,3) twice over 4: (9/4 + 25/4) * 2 / 4 = 17/4. Expected: 2 * (2 * 9/4 + 2 * 25/4 + 1) / 12
// = 3.
TEST(OrdinalAlpha, ByHand) {
    EXPECT_NEAR(*ordinal_alpha({{1, 2}, {3, 1}}), 1 - 17. / 12, 1e-12);
    EXPECT_NEAR(*ordinal_alpha({{1, 2}, {1, 3}, {5}, {}}), 1 - 17. / 12, 1e-12);
    EXPECT_EQ(ordinal_alpha({{1, 1}, {5, 5, 5}}), 1);
}

TEST(OrdinalAlpha, IsAbsentWhereNothingCanBeCompared) {
    EXPECT_FALSE(ordinal_alpha({}));
    EXPECT_FALSE(ordinal_alpha({{1}, {2}}));
    EXPECT_FALSE(ordinal_alpha({{4, 4}, {4, 4}, {1}}));
}

}  // namespace
}  // namespace craft
