#include "view/report_html.h"

#include <unicode/uchar.h>
#include <unicode/utf8.h>

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <map>

#include "core/svg.h"
#include "view/report_plot.h"

namespace craft {

namespace {

// A curve is drawn finer than anybody reads it.
constexpr size_t kMostRows = 40;

bool turns_text(UChar32 c) {
    return (u_charType(c) == U_CONTROL_CHAR && c != '\n' && c != '\t') || u_hasBinaryProperty(c, UCHAR_BIDI_CONTROL) ||
           c == 0x2028 || c == 0x2029 || c == 0xFFFE || c == 0xFFFF;  // the last two are no characters of XML
}

std::string element(const std::string& tag, const std::string& inner, const std::string& attributes = "") {
    return "<" + tag + (attributes.empty() ? "" : " " + attributes) + ">" + inner + "</" + tag + ">";
}

// Figures are never broken in two; words may be.
bool is_figure(const std::string& cell) {
    constexpr size_t kLongest = 40;
    return !cell.empty() && cell.size() < kLongest &&
           (std::isdigit(static_cast<unsigned char>(cell.back())) != 0 || cell.back() == ')') &&
           (std::isdigit(static_cast<unsigned char>(cell[0])) != 0 || cell[0] == '-');
}

std::string html_table(const ReportTable& table) {
    std::string head, body;
    for (const std::string& column : table.columns) head += element("th", html_text(column), "scope=\"col\"");
    for (const auto& row : table.rows) {
        std::string cells;
        for (size_t i = 0; i < row.size(); ++i)
            cells += i == 0 ? element("th", html_text(row[i]), "scope=\"row\"")
                            : element("td", html_text(row[i]), is_figure(row[i]) ? "class=\"figure\"" : "");
        body += element("tr", cells) + "\n";
    }
    // It scrolls by itself where it is wider than the window; the keyboard reaches what has a tab stop.
    return element("div",
                   element("table", element("caption", html_text(table.caption)) + element("thead", element("tr", head)) +
                                        "\n" + element("tbody", "\n" + body)),
                   "class=\"wide\" tabindex=\"0\" role=\"group\" aria-label=\"" + html_text(table.caption) + "\"") +
           "\n";
}

// Of many points every so-many-th, and the last.
ReportTable values_table(const ReportPlot& plot) {
    std::map<double, std::vector<std::string>> rows;
    for (size_t i = 0; i < plot.series.size(); ++i)
        for (const PlotPoint& point : plot.series[i].points) {
            auto& row = rows[point.at];
            row.resize(plot.series.size());
            row[i] = shown_figure(point.value);
            if (point.interval)
                row[i] += " (" + shown_figure(point.interval->first) + " to " + shown_figure(point.interval->second) + ")";
        }
    ReportTable table{plot.title + ", values", {plot.category_axis}, {}};
    for (const PlotSeries& series : plot.series) table.columns.push_back(series.name);
    const size_t stride = (rows.size() + kMostRows - 1) / kMostRows;
    if (stride > 1) table.caption += ", one point of " + std::to_string(stride);
    size_t number = 0;
    for (const auto& [at, cells] : rows) {
        if (number++ % stride != 0 && number != rows.size()) continue;
        const auto category = static_cast<size_t>(std::max(0.0, at));
        std::vector<std::string> row = {plot.categories.empty()             ? shown_figure(at)
                                        : category < plot.categories.size() ? plot.categories[category]
                                                                            : ""};
        row.insert(row.end(), cells.begin(), cells.end());
        table.rows.push_back(std::move(row));
    }
    return table;
}

std::string html_plot(const ReportPlot& plot, size_t number) {
    const std::string values =
        element("details", element("summary", html_text("Values: " + plot.title)) + html_table(values_table(plot)));
    return element("figure", element("figcaption", html_text(plot.title)) + plot_svg(plot, number) + values,
                   "class=\"plot\"") +
           "\n";
}

}  // namespace

std::string visible_text(std::string_view text) {
    std::string visible;
    visible.reserve(text.size());
    const auto size = static_cast<int32_t>(text.size());
    for (int32_t at = 0; at < size;) {
        const int32_t begin = at;
        UChar32 c = 0;
        U8_NEXT(text.data(), at, size, c);
        if (c < 0 || turns_text(c))
            visible += "\xEF\xBF\xBD";
        else
            visible += text.substr(static_cast<size_t>(begin), static_cast<size_t>(at - begin));
    }
    return visible;
}

std::string html_text(std::string_view text) {
    std::string escaped;
    for (const char c : visible_text(text)) {
        switch (c) {
            case '&':
                escaped += "&amp;";
                break;
            case '<':
                escaped += "&lt;";
                break;
            case '>':
                escaped += "&gt;";
                break;
            case '"':
                escaped += "&quot;";
                break;
            case '\'':
                escaped += "&#39;";
                break;
            default:
                escaped += c;
        }
    }
    return escaped;
}

std::string html_sections(const std::vector<ReportSection>& sections) {
    std::string html;
    size_t plots = 0;
    for (const ReportSection& section : sections) {
        if (section.parts.empty()) continue;
        std::string inner = element("h2", html_text(section.title), "id=\"" + html_text(section.id) + "-title\"") + "\n";
        bool is_row_of_plots = false;  // plots in a row stand side by side
        for (const ReportPart& part : section.parts) {
            const auto* plot = std::get_if<ReportPlot>(&part);
            if (is_row_of_plots != (plot != nullptr)) {
                is_row_of_plots = plot != nullptr;
                inner += is_row_of_plots ? "<div class=\"plots\">\n" : "</div>\n";
            }
            if (plot != nullptr)
                inner += html_plot(*plot, plots++);
            else if (const auto* table = std::get_if<ReportTable>(&part))
                inner += html_table(*table);
            else if (const auto* heading = std::get_if<ReportHeading>(&part))
                inner += element("h3", html_text(heading->text)) + "\n";
            else
                inner += element("p", html_text(std::get<ReportNote>(part).text), "class=\"note\"") + "\n";
        }
        if (is_row_of_plots) inner += "</div>\n";
        html += element("section", inner,
                        "id=\"" + html_text(section.id) + "\" aria-labelledby=\"" + html_text(section.id) + "-title\"") +
                "\n";
    }
    return html;
}

std::string html_contents(const std::vector<ReportSection>& sections) {
    std::string links;
    for (const ReportSection& section : sections)
        if (!section.parts.empty())
            links += element("li", element("a", html_text(section.title), "href=\"#" + html_text(section.id) + "\"")) + "\n";
    return links;
}

std::string figure_text(const std::optional<double>& value, int digits) {
    return value ? decimal(*value, digits) : "";
}

std::string shown_figure(double value) {
    char text[32];
    std::snprintf(text, sizeof text, "%.4g", value);
    return text;
}

std::string figure_text(const PlotPoint& point, int digits) {
    std::string text = decimal(point.value, digits);
    // Blanks within are such that no line ends there.
    if (point.interval)
        text +=
            " (" + decimal(point.interval->first, digits) + "\u00a0to\u00a0" + decimal(point.interval->second, digits) + ")";
    return text;
}

}  // namespace craft
