#include "eval/editeval/box_plot.h"

#include <algorithm>
#include <limits>
#include <sstream>

#include "core/svg.h"
#include "eval/editeval/statistics.h"

namespace craft {

namespace {

constexpr double kLeft = 60, kTop = 40, kHeight = 320, kStep = 80, kBoxWidth = 40, kBelow = 110;

class Picture {
public:
    Picture(double low, double high) : low_(low), high_(high) {}
    double y(double value) const { return kTop + kHeight * (high_ - value) / (high_ - low_); }
    void line(double x1, double y1, double x2, double y2, const char* colour) {
        out_ << "<line x1=\"" << decimal(x1, 1) << "\" y1=\"" << decimal(y1, 1) << "\" x2=\"" << decimal(x2, 1) << "\" y2=\""
             << decimal(y2, 1) << "\" stroke=\"" << colour << "\"/>\n";
    }
    void text(double x, double y, const std::string& words, const std::string& more) {
        out_ << "<text x=\"" << decimal(x, 1) << "\" y=\"" << decimal(y, 1) << "\" " << more << ">" << xml_text(words)
             << "</text>\n";
    }
    void box(double x, const BoxNumbers& q) {
        line(x, y(q.upper_whisker), x, y(q.upper), "black");
        line(x, y(q.lower), x, y(q.lower_whisker), "black");
        for (const double end : {q.lower_whisker, q.upper_whisker})
            line(x - kBoxWidth / 4, y(end), x + kBoxWidth / 4, y(end), "black");
        out_ << "<rect x=\"" << decimal(x - kBoxWidth / 2, 1) << "\" y=\"" << decimal(y(q.upper), 1) << "\" width=\""
             << decimal(kBoxWidth, 1) << "\" height=\"" << decimal(y(q.lower) - y(q.upper), 1)
             << "\" fill=\"#9ecae1\" stroke=\"black\"/>\n";
        line(x - kBoxWidth / 2, y(q.median), x + kBoxWidth / 2, y(q.median), "#d62728");
        for (const double value : q.outliers)
            out_ << "<circle cx=\"" << decimal(x, 1) << "\" cy=\"" << decimal(y(value), 1)
                 << "\" r=\"3\" fill=\"none\" stroke=\"black\"/>\n";
    }
    std::string drawn() const { return out_.str(); }

private:
    double low_, high_;
    std::ostringstream out_;
};

}  // namespace

std::string box_plot_svg(const std::string& title, const std::string& axis, const std::vector<Box>& boxes) {
    double low = std::numeric_limits<double>::infinity(), high = -low;
    for (const Box& box : boxes)
        for (const double value : box.values) {
            low = std::min(low, value);
            high = std::max(high, value);
        }
    const Axis scale = axis_around(low, high);
    const double width = kLeft + kStep * static_cast<double>(boxes.size()) + 20, height = kTop + kHeight + kBelow;
    Picture picture(scale.low, scale.high);
    for (int i = 0; scale.low + i * scale.step <= scale.high + scale.step / 2; ++i) {
        const double value = scale.low + i * scale.step;
        picture.line(kLeft, picture.y(value), width - 20, picture.y(value), "#dddddd");
        picture.text(kLeft - 6, picture.y(value) + 4, decimal(value, scale.digits), "text-anchor=\"end\"");
    }
    for (size_t i = 0; i < boxes.size(); ++i) {
        const double x = kLeft + kStep * (static_cast<double>(i) + .5), under = kTop + kHeight + 16;
        picture.box(x, box_numbers_of(boxes[i].values));
        picture.text(x, under, boxes[i].label,
                     "text-anchor=\"end\" transform=\"rotate(-35 " + decimal(x, 1) + " " + decimal(under, 1) + ")\"");
    }
    picture.text(width / 2, 22, title, "text-anchor=\"middle\" font-size=\"15\"");
    picture.text(16, kTop + kHeight / 2, axis,
                 "text-anchor=\"middle\" transform=\"rotate(-90 16 " + decimal(kTop + kHeight / 2, 1) + ")\"");
    return "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" + decimal(width, 0) + "\" height=\"" + decimal(height, 0) +
           "\" font-family=\"sans-serif\" font-size=\"12\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n" +
           picture.drawn() + "</svg>\n";
}

std::string box_plot_data(const std::vector<Box>& boxes, const std::string& file_name) {
    std::string lines =
        "# set boxwidth 0.4; plot '" + file_name +
        "' index 0 using 0:3:2:6:5:xtic(1) with candlesticks whiskerbars, '' index 0 using 0:4:4:4:4 with candlesticks, '' "
        "index 1 using 1:2 with points pointtype 6\n"
        "# label lower-whisker lower median upper upper-whisker\n";
    std::string outliers = "# box, from 0, and outlier\n";
    for (size_t i = 0; i < boxes.size(); ++i) {
        const Box& box = boxes[i];
        std::string label = box.label;
        for (char& c : label)
            if (c == '"' || static_cast<unsigned char>(c) < 0x20) c = ' ';
        const BoxNumbers q = box_numbers_of(box.values);
        lines += "\"" + label + "\"";
        for (const double value : {q.lower_whisker, q.lower, q.median, q.upper, q.upper_whisker})
            lines += " " + decimal(value, 6);
        lines += "\n";
        for (const double value : q.outliers) outliers += std::to_string(i) + " " + decimal(value, 6) + "\n";
    }
    return lines + "\n\n" + outliers;
}

}  // namespace craft
