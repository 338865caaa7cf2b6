#include "view/report_plot.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <limits>

#include "core/svg.h"
#include "core/utf8.h"
#include "view/report_html.h"
#include "view/terminal.h"

namespace craft {

namespace {

constexpr double kWidth = 520, kHeight = 260;  // of the plot with its axes, without the legend
constexpr double kLeft = 72, kRight = 14, kTop = 12, kBelow = 44, kLetter = 6.4, kLine = 18;
constexpr size_t kMostLabel = 26;  // columns
// Six colours that stand out from white and differ for the colour-blind; more series have the same ones, dashed.
constexpr std::array<const char*, 6> kColours = {"#0072b2", "#c2410c", "#00805c", "#a3498a", "#8a6500", "#5b5b5b"};
constexpr std::array<const char*, 4> kDashes = {"", "6 3", "2 3", "8 3 2 3"};

std::string number(double value) {
    return decimal(value, 1);
}

std::string attribute(const char* name, const std::string& value) {
    return std::string(" ") + name + "=\"" + value + "\"";
}

std::string line(double x1, double y1, double x2, double y2, const std::string& more) {
    return "<line" + attribute("x1", number(x1)) + attribute("y1", number(y1)) + attribute("x2", number(x2)) +
           attribute("y2", number(y2)) + more + "/>\n";
}

std::string words(double x, double y, const std::string& text, const char* anchor) {
    return "<text class=\"ink\" fill=\"#222222\"" + attribute("x", number(x)) + attribute("y", number(y)) +
           attribute("text-anchor", anchor) + ">" + html_text(text) + "</text>\n";
}

std::string short_label(const std::string& text) {
    if (display_width(text) <= static_cast<int64_t>(kMostLabel)) return text;
    return shortened(text, kMostLabel - 3);
}

// What an axis says beside a tick: a rate of 2e-05 has too many digits to be written out.
std::string tick_text(double value, int digits) {
    if (digits <= 4 && std::abs(value) < 1e6) return decimal(value, digits);
    char text[32];
    std::snprintf(text, sizeof text, "%.3g", value);
    return text;
}

std::string colour(size_t series) {
    return kColours.at(series % kColours.size());
}

std::string stroke(size_t series) {
    const std::string dash = kDashes.at(series / kColours.size() % kDashes.size());
    return attribute("class", "s" + std::to_string(series % kColours.size())) + attribute("stroke", colour(series)) +
           (dash.empty() ? "" : attribute("stroke-dasharray", dash));
}

// Series differ in form, too, for those who do not tell the colours apart.
std::string marker(size_t series, double x, double y) {
    const std::string look =
        attribute("class", "s" + std::to_string(series % kColours.size()) + " mark") + attribute("fill", colour(series));
    const auto corners = [&](const std::vector<std::pair<double, double>>& offsets) {
        std::string points;
        for (const auto& [dx, dy] : offsets) points += (points.empty() ? "" : " ") + number(x + dx) + "," + number(y + dy);
        return "<polygon" + attribute("points", points) + look + "/>\n";
    };
    switch (series % 4) {
        case 1:
            return corners({{-3.5, -3.5}, {3.5, -3.5}, {3.5, 3.5}, {-3.5, 3.5}});
        case 2:
            return corners({{0, -4.5}, {4.5, 3.5}, {-4.5, 3.5}});
        case 3:
            return corners({{0, -5}, {5, 0}, {0, 5}, {-5, 0}});
        default:
            return "<circle" + attribute("cx", number(x)) + attribute("cy", number(y)) + attribute("r", "3.6") + look +
                   "/>\n";
    }
}

struct ValueExtent {
    double low = std::numeric_limits<double>::infinity(), high = -std::numeric_limits<double>::infinity();
    void add(double value) {
        if (!std::isfinite(value)) return;
        low = std::min(low, value);
        high = std::max(high, value);
    }
    bool is_empty() const { return low > high; }
};

ValueExtent value_extent(const ReportPlot& plot) {
    ValueExtent values;
    for (const PlotSeries& series : plot.series)
        for (const PlotPoint& point : series.points) {
            values.add(point.value);
            if (point.interval) {
                values.add(point.interval->first);
                values.add(point.interval->second);
            }
        }
    if (values.is_empty()) values = {0, 1};
    if (plot.is_from_zero) values.add(0);
    return values;
}

class PlotDrawing {
public:
    explicit PlotDrawing(const ReportPlot& plot) : plot_(plot) {
        const ValueExtent values = value_extent(plot);
        values_ = axis_around(values.low, values.high);
        if (plot.is_listed) {
            size_t widest = 0;
            for (const std::string& name : plot.categories)
                widest = std::max(widest, static_cast<size_t>(display_width(short_label(name))));
            left_ = 16 + kLetter * static_cast<double>(widest);
            row_ = std::max(20.0, 7 * static_cast<double>(plot.series.size()) + 8);
            height_ = kTop + kBelow + row_ * static_cast<double>(plot.categories.size());
        } else if (plot.categories.empty()) {
            ValueExtent places;
            for (const PlotSeries& series : plot.series)
                for (const PlotPoint& point : series.points) places.add(point.at);
            places_ = places.is_empty() ? Axis{} : axis_around(places.low, places.high);
        }
    }

    std::string draw() {
        std::string drawn = plot_.is_listed ? listed_axes() : axes();
        for (size_t i = 0; i < plot_.series.size(); ++i) {
            if (!plot_.is_listed) drawn += joined(i);
            drawn += points(i);
        }
        return drawn + legend();
    }
    double height() const { return height_; }

private:
    double value_place(double value) const {
        const double share = (value - values_.low) / (values_.high - values_.low);
        return plot_.is_listed ? left_ + (kWidth - left_ - kRight) * share : kTop + (kHeight - kTop - kBelow) * (1 - share);
    }
    // Series of one category stand beside each other, so that their intervals can be told apart.
    double category_place(double at, size_t series) const {
        const auto count = static_cast<double>(plot_.series.size());
        const double beside = static_cast<double>(series) - (count - 1) / 2;
        if (plot_.is_listed) return kTop + row_ * (at + .5) + 7 * beside;
        const double width = kWidth - left_ - kRight;
        if (plot_.categories.empty()) return left_ + width * (at - places_.low) / (places_.high - places_.low);
        const double step = width / static_cast<double>(plot_.categories.size());
        return left_ + step * (at + .5) + std::min(9.0, step * .7 / count) * beside;
    }

    template <class Draw>
    std::string each_tick(const Axis& axis, const Draw& draw) const {
        std::string drawn;
        for (int i = 0; axis.low + i * axis.step <= axis.high + axis.step / 2; ++i) drawn += draw(axis.low + i * axis.step);
        return drawn;
    }
    std::string grid_line(double x1, double y1, double x2, double y2) const {
        return line(x1, y1, x2, y2, " class=\"grid\" stroke=\"#dddddd\"");
    }

    std::string axes() const {
        const double foot = kHeight - kBelow;
        std::string drawn = each_tick(values_, [&](double value) {
            const double y = value_place(value);
            return grid_line(left_, y, kWidth - kRight, y) +
                   words(left_ - 6, y + 4, tick_text(value, values_.digits), "end");
        });
        if (plot_.categories.empty()) {
            drawn += each_tick(places_, [&](double place) {
                return words(category_place(place, 0), foot + 17, tick_text(place, places_.digits), "middle");
            });
        } else {
            const double step = (kWidth - left_ - kRight) / static_cast<double>(plot_.categories.size());
            double free_from = 0;  // labels that would run into the one before are left out
            for (size_t i = 0; i < plot_.categories.size(); ++i) {
                const std::string label = short_label(plot_.categories[i]);
                const double half = kLetter * static_cast<double>(display_width(label)) / 2;
                const double x = left_ + step * (static_cast<double>(i) + .5);
                if (x - half < free_from) continue;
                drawn += words(x, foot + 17, label, "middle");
                free_from = x + half + kLetter;
            }
        }
        drawn += line(left_, foot, kWidth - kRight, foot, " class=\"axis\" stroke=\"#777777\"");
        drawn += words((left_ + kWidth - kRight) / 2, kHeight - 8, plot_.category_axis, "middle");
        return drawn + upright_name();
    }
    std::string upright_name() const {
        const double middle = (kTop + kHeight - kBelow) / 2;
        return "<text class=\"ink\" fill=\"#222222\" text-anchor=\"middle\"" +
               attribute("transform", "translate(13 " + number(middle) + ") rotate(-90)") + ">" +
               html_text(plot_.value_axis) + "</text>\n";
    }
    std::string listed_axes() const {
        const double foot = height_ - kBelow;
        std::string drawn = each_tick(values_, [&](double value) {
            const double x = value_place(value);
            return grid_line(x, kTop, x, foot) + words(x, foot + 17, tick_text(value, values_.digits), "middle");
        });
        for (size_t i = 0; i < plot_.categories.size(); ++i)
            drawn +=
                words(left_ - 8, kTop + row_ * (static_cast<double>(i) + .5) + 4, short_label(plot_.categories[i]), "end");
        return drawn + words((left_ + kWidth - kRight) / 2, height_ - 8, plot_.value_axis, "middle");
    }

    // A value that is none is a gap.
    std::string joined(size_t i) const {
        std::string drawn, path;
        const auto end_path = [&] {
            if (path.find(' ') != std::string::npos)
                drawn += "<polyline fill=\"none\" stroke-width=\"1.8\"" + stroke(i) + attribute("points", path) + "/>\n";
            path.clear();
        };
        for (const PlotPoint& point : plot_.series[i].points) {
            if (std::isfinite(point.value))
                path +=
                    (path.empty() ? "" : " ") + number(category_place(point.at, i)) + "," + number(value_place(point.value));
            else
                end_path();
        }
        end_path();
        return drawn;
    }
    std::string points(size_t i) const {
        // Curves have too many points to mark each of them.
        const bool are_marked = !plot_.categories.empty() || plot_.series[i].points.size() <= 12;
        std::string drawn;
        for (const PlotPoint& point : plot_.series[i].points) {
            if (!std::isfinite(point.value)) continue;
            const double along = category_place(point.at, i);
            if (point.interval) {
                const double low = value_place(point.interval->first), high = value_place(point.interval->second);
                drawn +=
                    plot_.is_listed ? line(low, along, high, along, stroke(i)) : line(along, low, along, high, stroke(i));
            }
            const double value = value_place(point.value);
            if (are_marked) drawn += plot_.is_listed ? marker(i, value, along) : marker(i, along, value);
        }
        return drawn;
    }

    std::string legend() {
        if (plot_.series.size() < 2) return "";
        std::string drawn;
        double x = kLeft, y = height_ + 10;
        for (size_t i = 0; i < plot_.series.size(); ++i) {
            const std::string& name = plot_.series[i].name;
            const std::string label = display_width(name) > 60 ? shortened(name, 57) : name;
            const double width = 42 + kLetter * static_cast<double>(display_width(label));
            if (x > kLeft && x + width > kWidth) {
                x = kLeft;
                y += kLine;
            }
            drawn += line(x, y - 4, x + 20, y - 4, stroke(i) + " stroke-width=\"1.8\"") + marker(i, x + 10, y - 4) +
                     words(x + 26, y, label, "start");
            x += width;
        }
        height_ = y + 10;
        return drawn;
    }

    const ReportPlot& plot_;
    Axis values_, places_;
    double left_ = kLeft, row_ = 0, height_ = kHeight;
};

}  // namespace

std::string plot_description(const ReportPlot& plot) {
    std::string names;
    for (const PlotSeries& series : plot.series) names += (names.empty() ? "" : ", ") + series.name;
    const ValueExtent values = value_extent(plot);
    return plot.value_axis + " by " + plot.category_axis + " of " + names + ". Values go from " + shown_figure(values.low) +
           " to " + shown_figure(values.high) + ".";
}

std::string plot_svg(const ReportPlot& plot, size_t number_on_page) {
    PlotDrawing drawing(plot);
    const std::string drawn = drawing.draw(), id = "plot-" + std::to_string(number_on_page);
    const std::string size = number(kWidth) + " " + number(drawing.height());
    return "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 " + size + "\" width=\"" + number(kWidth) +
           "\" height=\"" + number(drawing.height()) + "\" font-family=\"sans-serif\" font-size=\"12\" role=\"img\"" +
           " aria-labelledby=\"" + id + "-title " + id + "-desc\">\n<title id=\"" + id + "-title\">" +
           html_text(plot.title) + "</title>\n<desc id=\"" + id + "-desc\">" + html_text(plot_description(plot)) +
           "</desc>\n<rect class=\"paper\" width=\"100%\" height=\"100%\" fill=\"white\"/>\n" + drawn + "</svg>\n";
}

}  // namespace craft
