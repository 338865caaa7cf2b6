// What a report says: sections of tables and plots, before anything is drawn.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace craft {

struct ReportTable {
    std::string caption;
    std::vector<std::string> columns;            // of the first one each cell names its row
    std::vector<std::vector<std::string>> rows;  // as many cells as columns, "" where there is nothing to say
};

struct PlotPoint {
    double at = 0;  // the number of a category, counted from 0, or a value of its own
    double value = 0;
    std::optional<std::pair<double, double>> interval = {};  // 95 %
};
struct PlotSeries {
    std::string name;
    std::vector<PlotPoint> points;  // in the order of `at`
};
struct ReportPlot {
    std::string name;  // of its file, without ".svg"
    std::string title;
    std::string category_axis, value_axis;  // what they show
    // Absent: the category axis is one of numbers.
    std::vector<std::string> categories = {};
    // Categories stand one below the other, and nothing joins their points.
    bool is_listed = false;
    bool is_from_zero = false;  // the value axis begins at 0, as that of counts
    std::vector<PlotSeries> series = {};
};

struct ReportHeading {
    std::string text;
};
struct ReportNote {
    std::string text;
};
using ReportPart = std::variant<ReportTable, ReportPlot, ReportHeading, ReportNote>;

// Without parts it is left out of the page.
struct ReportSection {
    std::string id, title;
    std::vector<ReportPart> parts = {};
};

// "0.514"; the empty text where there is none.
std::string figure_text(const std::optional<double>& value, int digits = 3);
// In four digits that count: a rate of 1e-09 has more behind the point than a reward.
std::string shown_figure(double value);
// "0.514 (0.432 to 0.599)"
std::string figure_text(const PlotPoint& point, int digits = 3);

}  // namespace craft
