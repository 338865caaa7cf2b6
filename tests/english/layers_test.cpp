#include "english/layers.h"

#include <gmock/gmock.h>

#include <cmath>

namespace craft {
namespace {

using ::testing::ElementsAre;

// Numbers of no meaning, the same in each run.
std::vector<float> numbers(size_t count, float step) {
    std::vector<float> out(count);
    for (size_t i = 0; i < count; ++i) out[i] = std::sin(static_cast<float>(i + 1) * step);
    return out;
}

TEST(AffineLayer, MultipliesAndAdds) {
    // [1 2; 3 4; 5 6] (7, 8) + (1, 10, 100) = (23 + 1, 53 + 10, 83 + 100)
    const AffineLayer affine({1, 2, 3, 4, 5, 6}, {1, 10, 100}, 3, 2);
    const std::vector<float> x = {7, 8};
    std::vector<float> out(3);
    affine.apply(x.data(), 1, 2, out.data());
    EXPECT_THAT(out, ElementsAre(24, 63, 183));
}

TEST(AffineLayer, ReadsRowsThatOverlap) {
    const AffineLayer sum({1, 1, 1}, {}, 1, 3);
    const std::vector<float> x = {1, 2, 3, 4, 5};
    std::vector<float> out(3);
    sum.apply(x.data(), 3, 1, out.data());
    EXPECT_THAT(out, ElementsAre(6, 9, 12));
}

TEST(AffineLayer, GivesARowTheSameBitsBesideAnyOthers) {
    const size_t outputs = 37, inputs = 19, rows = 31;  // no multiples of what is computed at once
    const AffineLayer affine(numbers(outputs * inputs, 0.7F), numbers(outputs, 0.3F), outputs, inputs);
    const std::vector<float> x = numbers(rows * inputs, 1.1F);
    std::vector<float> all(rows * outputs), one(outputs);
    affine.apply(x.data(), rows, inputs, all.data());
    for (size_t row = 0; row < rows; ++row) {
        affine.apply(x.data() + row * inputs, 1, inputs, one.data());
        for (size_t i = 0; i < outputs; ++i) {
            ASSERT_EQ(one[i], all[row * outputs + i]) << row << " " << i;
            double exact = numbers(outputs, 0.3F)[i];
            for (size_t j = 0; j < inputs; ++j)
                exact += double{numbers(outputs * inputs, 0.7F)[i * inputs + j]} * x[row * inputs + j];
            ASSERT_NEAR(one[i], exact, 1e-5);
        }
    }
    for (size_t few = 1; few < rows; ++few) {  // whatever is left behind those that are computed at once
        std::vector<float> some(few * outputs);
        affine.apply(x.data(), few, inputs, some.data());
        for (size_t i = 0; i < some.size(); ++i) ASSERT_EQ(some[i], all[i]) << few << " rows, number " << i;
    }
}

TEST(NormalisedMaxout, TakesTheLargestAndNormalises) {
    // Two outputs of two pieces of one input x = 1: (1, 3) and (5, 2), biases 0: 3 and 5. Mean 4, variance 1: -1 and 1,
    // scaled by (2, 3) and shifted by (10, 20): 8 and 23.
    const NormalisedMaxout layer({1, 3, 5, 2}, {0, 0, 0, 0}, {2, 3}, {10, 20}, 2, 1);
    const std::vector<float> x = {1};
    std::vector<float> out(2);
    layer.apply(x.data(), 1, 1, out.data());
    EXPECT_NEAR(out[0], 8, 1e-5);
    EXPECT_NEAR(out[1], 23, 1e-5);
}

TEST(SwappedAxes, ExchangesTheFirstTwo) {
    // [2, 3, 1] to [3, 2, 1]
    EXPECT_THAT(swapped_axes({1, 2, 3, 4, 5, 6}, 2, 3, 1), ElementsAre(1, 4, 2, 5, 3, 6));
    EXPECT_THAT(swapped_axes({1, 2, 3, 4}, 1, 2, 2), ElementsAre(1, 2, 3, 4));
}

}  // namespace
}  // namespace craft
