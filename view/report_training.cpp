#include "view/report_training.h"

#include <algorithm>
#include <array>

namespace craft {

namespace {

constexpr size_t kMostPoints = 240;  // of a curve: half a point of the plot's width

struct CurveKind {
    const char* field;
    const char* title;
};
constexpr std::array<CurveKind, 14> kCurves = {{{"loss", "Loss"},
                                                {"sft_loss", "SFT loss"},
                                                {"preference_loss", "Preference loss"},
                                                {"reward", "Reward"},
                                                {"reward_std", "Deviation of rewards"},
                                                {"margin", "Margin"},
                                                {"accuracy", "Accuracy of preferences"},
                                                {"kl", "Divergence from the reference"},
                                                {"clipped", "Clipped tokens"},
                                                {"entropy", "Entropy"},
                                                {"token_accuracy", "Accuracy of tokens"},
                                                {"grad_norm", "Norm of the gradient"},
                                                {"lr", "Learning rate"},
                                                {"tokens_per_second", "Tokens a second"}}};

struct NamedCurves {
    std::string run;
    const TrainingCurves* curves;
};

const std::vector<std::pair<double, double>>* curve_of(const TrainingCurves& curves, const char* field) {
    const auto found = curves.fields.find(field);
    return found == curves.fields.end() ? nullptr : &found->second;
}

// An SFT's loss is its SFT loss.
bool repeats_the_loss(const CurveKind& kind, const std::vector<NamedCurves>& trainings) {
    if (std::string(kind.field) != "sft_loss") return false;
    return std::all_of(trainings.begin(), trainings.end(), [&](const NamedCurves& one) {
        const auto *own = curve_of(*one.curves, kind.field), *loss = curve_of(*one.curves, "loss");
        return own == nullptr || (loss != nullptr && *own == *loss);
    });
}

// A curve of one step shows nothing.
bool has_curves(const std::vector<NamedCurves>& trainings) {
    return std::any_of(trainings.begin(), trainings.end(), [](const NamedCurves& one) {
        return std::any_of(one.curves->fields.begin(), one.curves->fields.end(),
                           [](const auto& field) { return field.second.size() > 1; });
    });
}

ReportTable only_step(const std::string& name, const std::vector<NamedCurves>& trainings) {
    ReportTable table{name + ": figures of the only step", {"Figure"}, {}};
    for (const NamedCurves& one : trainings) table.columns.push_back(one.run);
    for (const CurveKind& kind : kCurves) {
        std::vector<std::string> cells = {kind.title};
        for (const NamedCurves& one : trainings) {
            const auto* curve = curve_of(*one.curves, kind.field);
            cells.push_back(curve == nullptr ? "" : shown_figure(curve->front().second));
        }
        if (std::any_of(cells.begin() + 1, cells.end(), [](const auto& cell) { return !cell.empty(); }))
            table.rows.push_back(std::move(cells));
    }
    return table;
}

// Letters and digits alone, since it names a file.
std::string file_name(const std::string& name) {
    std::string safe;
    for (const char c : name) safe += (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ? c : '_';
    return safe;
}

}  // namespace

std::vector<PlotPoint> thinned(const std::vector<std::pair<double, double>>& curve, size_t most) {
    std::vector<PlotPoint> points;
    const size_t count = std::min(most, curve.size());
    for (size_t i = 0; i < count; ++i) {
        const size_t begin = i * curve.size() / count, end = (i + 1) * curve.size() / count;
        PlotPoint point;
        for (size_t j = begin; j < end; ++j) {
            point.at += curve[j].first / static_cast<double>(end - begin);
            point.value += curve[j].second / static_cast<double>(end - begin);
        }
        points.push_back(point);
    }
    return points;
}

ReportSection training_section(const std::vector<ReportRun>& runs) {
    ReportSection section{"training", "Training curves"};
    std::vector<std::pair<std::string, std::vector<NamedCurves>>> trainings;  // by name, in the order of the runs
    for (const ReportRun& run : runs)
        for (const TrainingCurves& curves : run.trainings) {
            auto found =
                std::find_if(trainings.begin(), trainings.end(), [&](const auto& one) { return one.first == curves.name; });
            if (found == trainings.end()) found = trainings.insert(trainings.end(), {curves.name, {}});
            found->second.push_back({run.name + (curves.is_evaluation ? ", held-out data" : ""), &curves});
        }
    for (const auto& [name, same] : trainings) {
        section.parts.emplace_back(ReportHeading{name});
        if (!has_curves(same)) {
            section.parts.emplace_back(only_step(name, same));
            continue;
        }
        for (const CurveKind& kind : kCurves) {
            ReportPlot plot{"curve_" + file_name(name) + "_" + kind.field, name + ": " + kind.title, "step", kind.title};
            for (const NamedCurves& one : same)
                if (const auto* curve = curve_of(*one.curves, kind.field))
                    plot.series.push_back({one.run, thinned(*curve, kMostPoints)});
            if (!plot.series.empty() && !repeats_the_loss(kind, same)) section.parts.emplace_back(std::move(plot));
        }
    }
    return section;
}

}  // namespace craft
