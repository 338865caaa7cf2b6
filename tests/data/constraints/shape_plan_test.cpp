#include "data/constraints/shape_plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace craft {
namespace {

TEST(ShapePlan, RefusedShapesGiveWayToOthersOfTheirSubType) {
    ShapePlan plan({1, 0, 0, 0, 0, 0, 0, 0}, 1, "test");
    for (int i = 0; i < 9; ++i)
        EXPECT_THAT(plan.next(1, {Shape::keep_one, Shape::keep_three}), testing::ElementsAre(Shape::keep_two));
    EXPECT_TRUE(plan.next(1, {Shape::keep_one, Shape::keep_two, Shape::keep_three}).empty());
    EXPECT_TRUE(plan.next(2, {}).empty()) << "one sub-type has a share";
}

TEST(ShapePlan, WhatIsPutBackComesAgainBehindTheOthers) {
    ShapePlan plan({1, 0, 0, 0, 0, 0, 0, 0}, 1, "test");
    const Shape first = plan.next(1, {}).at(0);
    plan.put_back({first});
    const Shape second = plan.next(1, {}).at(0), third = plan.next(1, {}).at(0);
    EXPECT_THAT((std::vector<Shape>{second, third}), testing::Not(testing::Contains(first)));
    EXPECT_EQ(plan.next(1, {}).at(0), first);
}

// Refused at 0 to 3, it rests until 4 + 16; refused then, for twice as long.
TEST(RestingShapes, RestLongerEachTime) {
    RestingShapes shapes;
    for (int64_t item = 0; item < 3; ++item) EXPECT_FALSE(shapes.refused(Shape::keep_two, item));
    EXPECT_TRUE(shapes.at(3).empty());
    EXPECT_TRUE(shapes.refused(Shape::keep_two, 3));
    EXPECT_THAT(shapes.at(19), testing::ElementsAre(Shape::keep_two));
    EXPECT_TRUE(shapes.at(20).empty());
    EXPECT_TRUE(shapes.refused(Shape::keep_two, 20));
    EXPECT_EQ(shapes.at(52).size(), 1u);
    EXPECT_TRUE(shapes.at(53).empty());
    shapes.given({Shape::keep_two});
    EXPECT_FALSE(shapes.refused(Shape::keep_two, 53)) << "not in a row";
    for (int64_t i = 0; i < 100; ++i) shapes.refused(Shape::keep_two, 0);
    EXPECT_TRUE(shapes.at(int64_t{1} << 15).empty());
}

}  // namespace
}  // namespace craft
