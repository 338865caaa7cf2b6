#include "eval/results/round_figure.h"

#include <algorithm>
#include <array>
#include <limits>

#include "core/svg.h"
#include "core/utf8.h"
#include "eval/results/eval_result.h"
#include "eval/results/figure_commands.h"
#include "metrics/registry.h"

namespace craft {

namespace {

struct PanelKind {
    const char *title, *figure;
    double scale;
};
constexpr std::array<PanelKind, 4> kPanels = {
    {{"PPL", "perplexity", 1}, {"SOME", "some", 100}, {"BARTScore", "bartscore", 1}, {"Acc.", "accuracy", 100}}};

struct RoundSum {
    double sum = 0;
    int64_t runs = 0;
};

// What files say of one figure: by system, then round.
class PanelFigures {
public:
    explicit PanelFigures(const PanelKind& kind) : kind_(kind) {}

    // Whether the file has the figure of any round.
    bool add(const TableInput& input, const Json& by_round) {
        bool any = false;
        for (const auto& [round, figures] : by_round.items()) {
            const std::string where = input.source.file + ": corpus.by_round." + round;
            const bool is_number = !round.empty() && round.size() < 4 &&
                                   std::all_of(round.begin(), round.end(), [](char c) { return c >= '0' && c <= '9'; });
            if (!is_number || std::stoul(round) == 0) throw Error(where, "the number of a round", shortened(round, 20));
            if (!figures.is_object() || !figures.contains(kind_.figure)) continue;
            any = true;
            const auto figure = figure_at(figures, kind_.figure, where);
            if (!figure) continue;
            note_scorer(input);
            RoundSum& sum = sums_[input.source.system][std::stoul(round)];
            sum.sum += *figure;
            ++sum.runs;
        }
        return any;
    }
    size_t rounds() const {
        size_t most = 0;
        for (const auto& [system, sums] : sums_) most = std::max(most, sums.rbegin()->first);
        return most;
    }
    RoundPanel panel(const std::vector<std::string>& systems, size_t rounds) const {
        RoundPanel made{kind_.title, kind_.figure};
        for (const std::string& system : systems) {
            std::vector<std::optional<double>>& values = made.values[system];
            values.resize(rounds);
            const auto found = sums_.find(system);
            if (found == sums_.end()) continue;
            for (const auto& [round, sum] : found->second)
                values[round - 1] = kind_.scale * sum.sum / static_cast<double>(sum.runs);
        }
        return made;
    }

private:
    void note_scorer(const TableInput& input) {
        const Json scorer = scorer_of(input.document, kind_.figure);
        if (scorer_.is_null()) scorer_ = scorer;
        if (scorer == scorer_) return;
        throw Error(
            "panel " + std::string(kind_.title), "figures of one scorer",
            shortened(dump_line(scorer_), 200) + " and " + shortened(dump_line(scorer), 200) + " in " + input.source.file);
    }

    const PanelKind& kind_;
    std::map<std::string, std::map<size_t, RoundSum>> sums_;
    Json scorer_;
};

constexpr double kLeft = 56, kTop = 34, kWide = 190, kHigh = 170, kGap = 64, kBelow = 34, kLine = 18;
constexpr std::array<const char*, 6> kColours = {"#1f77b4", "#d62728", "#2ca02c", "#9467bd", "#ff7f0e", "#7f7f7f"};

const char* colour_of(size_t system) {
    return kColours.at(system % kColours.size());
}

std::string svg_words(double x, double y, const std::string& words, const std::string& more) {
    return "<text x=\"" + decimal(x, 1) + "\" y=\"" + decimal(y, 1) + "\" " + more + ">" + xml_text(words) + "</text>\n";
}

// One panel, whose left edge is at `left`.
class PanelPicture {
public:
    PanelPicture(const RoundPanel& panel, size_t rounds, double left) : panel_(panel), rounds_(rounds), left_(left) {
        double low = std::numeric_limits<double>::infinity(), high = -low;
        for (const auto& [system, values] : panel.values)
            for (const auto& value : values) {
                if (!value) continue;
                low = std::min(low, *value);
                high = std::max(high, *value);
            }
        axis_ = axis_around(low, high);
    }
    std::string draw(const std::vector<std::string>& systems) const {
        std::string out = svg_words(left_ + kWide / 2, kTop - 12, title(), "text-anchor=\"middle\" font-size=\"14\"");
        for (int i = 0; axis_.low + i * axis_.step <= axis_.high + axis_.step / 2; ++i) {
            const double value = axis_.low + i * axis_.step;
            out += "<line x1=\"" + decimal(left_, 1) + "\" y1=\"" + decimal(y(value), 1) + "\" x2=\"" +
                   decimal(left_ + kWide, 1) + "\" y2=\"" + decimal(y(value), 1) + "\" stroke=\"#dddddd\"/>\n";
            out += svg_words(left_ - 6, y(value) + 4, decimal(value, axis_.digits), "text-anchor=\"end\"");
        }
        for (size_t round = 1; round <= rounds_; ++round)
            out += svg_words(x(round), kTop + kHigh + 18, "R" + std::to_string(round), "text-anchor=\"middle\"");
        for (size_t i = 0; i < systems.size(); ++i) out += line_of(panel_.values.at(systems[i]), colour_of(i));
        return out;
    }

private:
    std::string title() const { return panel_.title + (is_lower_better(panel_.figure) ? " \u2193" : " \u2191"); }
    double x(size_t round) const {
        const double step = kWide / static_cast<double>(rounds_);
        return left_ + step * (static_cast<double>(round) - .5);
    }
    double y(double value) const { return kTop + kHigh * (axis_.high - value) / (axis_.high - axis_.low); }
    // A round without a figure is a gap.
    std::string line_of(const std::vector<std::optional<double>>& values, const char* colour) const {
        std::string out, points;
        const auto end_line = [&] {
            if (!points.empty())
                out += "<polyline fill=\"none\" stroke-width=\"2\" stroke=\"" + std::string(colour) + "\" points=\"" +
                       points + "\"/>\n";
            points.clear();
        };
        for (size_t i = 0; i < values.size(); ++i) {
            if (!values[i]) {
                end_line();
                continue;
            }
            const std::string at_x = decimal(x(i + 1), 1), at_y = decimal(y(*values[i]), 1);
            points += (points.empty() ? "" : " ") + at_x + "," + at_y;
            out += "<circle cx=\"" + at_x + "\" cy=\"" + at_y + "\" r=\"3\" fill=\"" + colour + "\"/>\n";
        }
        end_line();
        return out;
    }

    const RoundPanel& panel_;
    size_t rounds_;
    double left_;
    Axis axis_;
};

bool has_figures(const RoundPanel& panel) {
    return std::any_of(panel.values.begin(), panel.values.end(), [](const auto& of_system) {
        return std::any_of(of_system.second.begin(), of_system.second.end(),
                           [](const auto& value) { return value.has_value(); });
    });
}

}  // namespace

RoundFigures round_figures(const std::vector<TableInput>& inputs) {
    std::vector<PanelFigures> panels(kPanels.begin(), kPanels.end());
    RoundFigures figures;
    for (const TableInput& input : inputs) {
        const Json& corpus = corpus_of(input);
        const bool has_rounds = corpus.is_object() && has_value(corpus, "by_round") && corpus.at("by_round").is_object();
        bool any = false;
        if (has_rounds)
            for (PanelFigures& panel : panels) any = panel.add(input, corpus.at("by_round")) || any;
        if (!any)
            throw Error(input.source.file, "figures by round", "none",
                        "eval cord --rounds and eval metric --rounds make them of what `revise --method iter` writes");
        if (std::find(figures.systems.begin(), figures.systems.end(), input.source.system) == figures.systems.end())
            figures.systems.push_back(input.source.system);
    }
    for (const PanelFigures& panel : panels) figures.rounds = std::max(figures.rounds, panel.rounds());
    for (const PanelFigures& panel : panels) figures.panels.push_back(panel.panel(figures.systems, figures.rounds));
    return figures;
}

Table round_table(const RoundFigures& figures) {
    Table table;
    table.corner = "Round";
    table.is_ranked = false;
    std::vector<std::string> commands;
    for (const RoundPanel& panel : figures.panels) {
        table.columns.push_back({panel.title, !is_lower_better(panel.figure)});
        commands.push_back(command_of(TableLayout::f3, panel.figure));
    }
    for (const std::string& system : figures.systems) {
        for (size_t round = 0; round < figures.rounds; ++round) {
            const std::string name = "R" + std::to_string(round + 1);
            TableRow row{figures.systems.size() == 1 ? name : system + " " + name, {}};
            for (const RoundPanel& panel : figures.panels) row.cells.push_back(panel.values.at(system)[round]);
            table.rows.push_back(std::move(row));
        }
    }
    note_empty_cells(table, commands);
    return table;
}

std::string round_figure_svg(const RoundFigures& figures) {
    std::string drawn;
    double left = kLeft;
    for (const RoundPanel& panel : figures.panels) {
        if (!has_figures(panel)) continue;
        drawn += PanelPicture(panel, figures.rounds, left).draw(figures.systems);
        left += kWide + kGap;
    }
    if (drawn.empty()) throw Error("the figure", "figures of a round", "none");
    double under = kTop + kHigh + kBelow + kLine;
    for (size_t i = 0; i < figures.systems.size(); ++i, under += kLine) {
        drawn += "<rect x=\"" + decimal(kLeft, 1) + "\" y=\"" + decimal(under - 10, 1) +
                 "\" width=\"12\" height=\"12\" fill=\"" + colour_of(i) + "\"/>\n";
        drawn += svg_words(kLeft + 18, under, figures.systems[i], "text-anchor=\"start\"");
    }
    return "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" + decimal(left - kGap + 16, 0) + "\" height=\"" +
           decimal(under, 0) + "\" font-family=\"sans-serif\" font-size=\"12\">\n" +
           "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n" + drawn + "</svg>\n";
}

}  // namespace craft
