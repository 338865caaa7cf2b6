#include "view/report_plot.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "view/report_html.h"
#include "view/report_training.h"

namespace craft {
namespace {

using testing::HasSubstr;
using testing::Not;

// Values from 0 to 1 have the axis 0, 0.2 ... 1. Between 12 below the upper end and 44 above the lower one of 260 lie 204
// units: 0 is at 216, 1 at 12. Two stages share 520 - 72 - 14 = 434 units: their middles are at 72 + 108.5 and 72 + 325.5.
TEST(ReportPlot, PutsPointsWhereTheyBelong) {
    ReportPlot plot{"p", "Title", "stage", "F1", {"sft", "round-1"}};
    plot.series = {{"a", {{0, 0}, {1, .75, std::pair(.5, 1.0)}}}};
    const std::string svg = plot_svg(plot);
    EXPECT_THAT(svg, HasSubstr("points=\"180.5,216.0 397.5,63.0\""));
    EXPECT_THAT(svg, HasSubstr("<line x1=\"397.5\" y1=\"114.0\" x2=\"397.5\" y2=\"12.0\" class=\"s0\""));
    EXPECT_THAT(svg, HasSubstr("<circle cx=\"397.5\" cy=\"63.0\""));
    EXPECT_THAT(svg, HasSubstr("<title id=\"plot-0-title\">Title</title>"));
    EXPECT_THAT(svg, HasSubstr("F1 by stage of a. Values go from 0 to 1."));
}

// A value that is none ends the line.
TEST(ReportPlot, AGapIsNotDrawnOver) {
    ReportPlot plot{"p", "Title", "step", "loss"};
    plot.series = {{"a", {{0, 0}, {1, 1}, {2, std::nan("")}, {3, 1}, {4, 0}}}};
    const std::string svg = plot_svg(plot);
    EXPECT_THAT(svg, Not(HasSubstr("nan")));
    size_t lines = 0;
    for (size_t at = svg.find("<polyline"); at != std::string::npos; at = svg.find("<polyline", at + 1)) ++lines;
    EXPECT_EQ(lines, 2U);
}

TEST(ReportPlot, SeriesDifferInFormAndNames) {
    ReportPlot plot{"p", "Title", "stage", "F1", {"sft"}, /*is_listed=*/true};
    for (const char* name : {"a", "b", "<c>"}) plot.series.push_back({name, {{0, .5}}});
    const std::string svg = plot_svg(plot, 4);
    EXPECT_THAT(svg, HasSubstr("class=\"s2 mark\""));
    EXPECT_THAT(svg, HasSubstr(">&lt;c&gt;</text>"));
    EXPECT_THAT(svg, HasSubstr("<polygon"));
    EXPECT_THAT(svg, HasSubstr("id=\"plot-4-desc\""));
    plot.series.clear();
    EXPECT_THAT(plot_svg(plot), HasSubstr("</svg>")) << "without series";
}

TEST(ReportPlot, ACurveIsThinnedByMeans) {
    // Five steps in two points: the first two, and the last three.
    const auto points = thinned({{1, 10}, {2, 20}, {3, 30}, {4, 40}, {5, 80}}, 2);
    ASSERT_EQ(points.size(), 2U);
    EXPECT_EQ(points[0].at, 1.5);
    EXPECT_EQ(points[0].value, 15);
    EXPECT_EQ(points[1].at, 4);
    EXPECT_EQ(points[1].value, 50);
    EXPECT_EQ(thinned({{1, 10}}, 2).size(), 1U);
}

TEST(ReportHtml, WhatWouldMoveOrTurnTextIsVisible) {
    EXPECT_EQ(html_text("a<b>&\"'"), "a&lt;b&gt;&amp;&quot;&#39;");
    EXPECT_EQ(visible_text("a\n\tb"), "a\n\tb");
    EXPECT_EQ(visible_text("\xE2\x80\xAE|\x1B|\xFF|\xC2\x85"), "\xEF\xBF\xBD|\xEF\xBF\xBD|\xEF\xBF\xBD|\xEF\xBF\xBD");
    EXPECT_EQ(visible_text("\xD7\x90\xD8\xA7 \xC3\xA9"), "\xD7\x90\xD8\xA7 \xC3\xA9");
}

TEST(ReportHtml, ASectionHasHeadingsCaptionsAndValues) {
    ReportSection section{"stages", "Stages"};
    ReportPlot plot{"p", "Loss", "step", "loss"};
    for (int i = 0; i < 100; ++i) plot.series.resize(1), plot.series[0].points.push_back({double(i), double(i)});
    section.parts = {ReportTable{"Caption", {"A", "B"}, {{"x", "1"}}}, plot};
    const std::string html = html_sections({section, {"empty", "Empty"}});
    EXPECT_THAT(html, HasSubstr("<caption>Caption</caption>"));
    EXPECT_THAT(html, HasSubstr("<tr><th scope=\"row\">x</th><td class=\"figure\">1</td></tr>"));
    // 100 points in at most 40 rows: one of three, and the last one, which is the hundredth anyway.
    EXPECT_THAT(html, HasSubstr("Loss, values, one point of 3"));
    EXPECT_THAT(html, HasSubstr("<th scope=\"row\">99</th>"));
    EXPECT_THAT(html, Not(HasSubstr("<th scope=\"row\">98</th>")));
    EXPECT_THAT(html, Not(HasSubstr("Empty")));
    EXPECT_EQ(html_contents({section, {"empty", "Empty"}}), "<li><a href=\"#stages\">Stages</a></li>\n");
}

}  // namespace
}  // namespace craft
