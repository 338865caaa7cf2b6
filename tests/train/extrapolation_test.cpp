#include "train/extrapolation.h"

#include <gtest/gtest.h>

#include <stdexcept>

namespace craft {
namespace {

ProbeFigures figures_at(const ProbePoint& p) {
    const auto plain = static_cast<double>(p.plain_layers), recomputed = static_cast<double>(p.recomputed_layers);
    const auto vocabulary = static_cast<double>(p.vocabulary);
    return {.batch_peak = 100 + 7 * plain + 3 * recomputed + 0.5 * vocabulary,
            .update_peak = 50 + 2 * plain + recomputed + 0.25 * vocabulary,
            .batch_seconds = {1 + plain + 2 * recomputed + 0.01 * vocabulary, 2 + plain},
            .update_seconds = 0.1 * plain};
}

std::vector<ProbedPoint> probed(const std::vector<ProbePoint>& points) {
    std::vector<ProbedPoint> all;
    for (const ProbePoint& point : points) all.push_back({point, figures_at(point)});
    return all;
}

void expect_figures(const ProbeFigures& got, const ProbeFigures& wanted) {
    EXPECT_DOUBLE_EQ(got.batch_peak, wanted.batch_peak);
    EXPECT_DOUBLE_EQ(got.update_peak, wanted.update_peak);
    EXPECT_DOUBLE_EQ(got.update_seconds, wanted.update_seconds);
    ASSERT_EQ(got.batch_seconds.size(), wanted.batch_seconds.size());
    for (size_t i = 0; i < got.batch_seconds.size(); ++i) EXPECT_DOUBLE_EQ(got.batch_seconds[i], wanted.batch_seconds[i]);
}

TEST(Extrapolation, IsExactWhereGrowthIsLinear) {
    for (const ProbePoint target : {ProbePoint{32, 0, 1000}, ProbePoint{20, 12, 1000}, ProbePoint{0, 32, 1000},
                                    ProbePoint{20, 12, 128000}, ProbePoint{2, 0, 128000}})
        expect_figures(extrapolated(probed(probe_points(target, 1, {5, 1000})), target), figures_at(target));
}

TEST(Extrapolation, TellsTheTargetItselfWhereItWasProbed) {
    const ProbePoint target{3, 2, 1000};
    const auto points = probe_points(target, 1, {5, 1000});
    ASSERT_EQ(points.size(), 1u);
    EXPECT_EQ(points[0].plain_layers, 3);
    EXPECT_EQ(points[0].recomputed_layers, 2);
    EXPECT_EQ(points[0].vocabulary, 1000);
}

// A second layer that takes less than the first is noise: 30 more of them would take less than nothing.
TEST(Extrapolation, TakesNoGrowthForNoise) {
    auto points = probed({{1, 0, 10}, {2, 0, 10}});
    points[1].figures.batch_seconds[0] = points[0].figures.batch_seconds[0] - 0.1;
    const ProbeFigures figures = extrapolated(points, {32, 0, 10});
    EXPECT_DOUBLE_EQ(figures.batch_seconds[0], points[0].figures.batch_seconds[0]);
    EXPECT_DOUBLE_EQ(figures.batch_seconds[1], 2 + 32);
}

// Two layers more measured nothing more; each takes its weights all the same.
TEST(Extrapolation, CountsWhatALayerTakesAtLeast) {
    auto points = probed({{1, 1, 10}, {3, 1, 10}, {1, 3, 10}});
    points[1].figures.batch_peak = points[2].figures.batch_peak = points[0].figures.batch_peak;
    const ProbeFigures figures = extrapolated(points, {11, 21, 10}, {.plain = 5, .recomputed = 1.5});
    EXPECT_DOUBLE_EQ(figures.batch_peak, points[0].figures.batch_peak + 10 * 5 + 20 * 1.5);
    EXPECT_DOUBLE_EQ(figures.update_peak, points[0].figures.update_peak + 10 * 5 + 20 * 1.5) << "2 and 1 were measured";
}

TEST(Extrapolation, AsksForAProbeOfEachDirection) {
    EXPECT_THROW(extrapolated(probed({{1, 0, 10}, {2, 0, 10}}), {2, 1, 10}), std::logic_error);
    EXPECT_THROW(extrapolated(probed({{1, 0, 10}}), {2, 0, 10}), std::logic_error);
}

TEST(ProbePoints, GoAsDeepAsTheyMayByWholePeriods) {
    const auto points = probe_points({24, 8, 1000}, 2, {9, 1000});  // 2 + 2 layers, then up to 9 by twos
    ASSERT_EQ(points.size(), 3u);
    EXPECT_EQ(points[0].plain_layers, 2);
    EXPECT_EQ(points[0].recomputed_layers, 2);
    EXPECT_EQ(points[1].plain_layers, 6);
    EXPECT_EQ(points[1].recomputed_layers, 2);
    EXPECT_EQ(points[2].plain_layers, 2);
    EXPECT_EQ(points[2].recomputed_layers, 6);
    const auto least = probe_points({24, 0, 1000}, 2, {0, 1000});  // what nothing may be cut from
    ASSERT_EQ(least.size(), 2u);
    EXPECT_EQ(least[0].layers(), 2);
    EXPECT_EQ(least[1].layers(), 4);
}

TEST(ProbePoints, TakeEnoughLayersToBeSeen) {
    const auto points =
        probe_points({24, 8, 1000}, 1, {.max_layers = 2, .max_vocabulary = 1000, .first_layers = 3, .least_step = 5});
    ASSERT_EQ(points.size(), 3u);
    EXPECT_EQ(points[0].plain_layers, 3);
    EXPECT_EQ(points[0].recomputed_layers, 1);
    EXPECT_EQ(points[1].plain_layers, 8);
    EXPECT_EQ(points[2].recomputed_layers, 2);
}

TEST(ProbePoints, HalveALargeVocabulary) {
    const auto points = probe_points({2, 0, 128000}, 1, {2, 4000});
    ASSERT_EQ(points.size(), 2u);
    EXPECT_EQ(points[0].vocabulary, 2000);
    EXPECT_EQ(points[1].vocabulary, 4000);
    EXPECT_EQ(points[1].layers(), 2);
}

}  // namespace
}  // namespace craft
