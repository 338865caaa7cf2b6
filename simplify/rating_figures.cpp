// The figures of ratings.h.
#include <algorithm>
#include <cstdio>
#include <numeric>
#include <optional>

#include "core/error.h"
#include "metrics/statistics/agreement.h"
#include "metrics/statistics/holm.h"
#include "simplify/ratings.h"

namespace craft {

namespace {

// All marks of an item, by raters.
std::vector<int64_t> marks_of(const std::vector<RaterSheet>& raters, int64_t item) {
    std::vector<int64_t> marks;
    for (const RaterSheet& rater : raters)
        if (const auto found = rater.marks.find(item); found != rater.marks.end()) marks.push_back(found->second);
    return marks;
}

double mean_of(const std::vector<int64_t>& marks) {
    return static_cast<double>(std::accumulate(marks.begin(), marks.end(), int64_t{0})) / static_cast<double>(marks.size());
}

Json rater_json(const RaterSheet& rater) {
    Json unusable = Json::object();
    for (const auto& [reason, lines] : rater.unusable) unusable[reason] = {{"count", lines.size()}, {"lines", lines}};
    return {{"sheet", rater.name}, {"marks", rater.marks.size()}, {"unusable", unusable}, {"absent", rater.absent}};
}

Json system_json(const std::string& system, const std::vector<RaterSheet>& raters, const RatingKey& key) {
    int64_t items = 0, marks = 0, high = 0, low = 0;
    double sum = 0;
    Json distribution = Json::object();
    for (int64_t mark = RatingSheet::kLowest; mark <= RatingSheet::kHighest; ++mark) distribution[std::to_string(mark)] = 0;
    for (const RatingItem& one : key.items) {
        const std::vector<int64_t> given = marks_of(raters, one.item);
        if (one.system != system || given.empty()) continue;
        ++items;
        marks += static_cast<int64_t>(given.size());
        for (const int64_t mark : given)
            distribution[std::to_string(mark)] = distribution[std::to_string(mark)].get<int64_t>() + 1;
        const double mean = mean_of(given);
        sum += mean;
        high += mean > 4 ? 1 : 0;
        low += mean < 3 ? 1 : 0;
    }
    const auto share = [&](int64_t count) {
        return items == 0 ? Json(nullptr) : Json(static_cast<double>(count) / static_cast<double>(items));
    };
    return {{"items", items},
            {"marks", marks},
            {"mean", items == 0 ? Json(nullptr) : Json(sum / static_cast<double>(items))},
            {"distribution", distribution},
            {"high", share(high)},
            {"moderate", share(items - high - low)},
            {"low", share(low)}};
}

Json optional_json(const std::optional<double>& value) {
    return value ? Json(*value) : Json(nullptr);
}

Json pair_of_raters(const RaterSheet& a, const RaterSheet& b) {
    std::vector<int64_t> of_a, of_b;
    int64_t same = 0;
    for (const auto& [item, mark] : a.marks) {
        const auto found = b.marks.find(item);
        if (found == b.marks.end()) continue;
        of_a.push_back(mark);
        of_b.push_back(found->second);
        same += mark == found->second ? 1 : 0;
    }
    return {{"a", a.name},
            {"b", b.name},
            {"items", of_a.size()},
            {"same", of_a.empty() ? Json(nullptr) : Json(static_cast<double>(same) / static_cast<double>(of_a.size()))},
            {"kappa_quadratic", optional_json(quadratic_kappa(of_a, of_b))}};
}

Json agreement_json(const std::vector<RaterSheet>& raters, const RatingKey& key) {
    std::vector<std::vector<int64_t>> items;
    int64_t shared = 0;
    for (const RatingItem& one : key.items) {
        items.push_back(marks_of(raters, one.item));
        shared += items.back().size() > 1 ? 1 : 0;
    }
    Json pairs = Json::array();
    for (size_t a = 0; a < raters.size(); ++a)
        for (size_t b = a + 1; b < raters.size(); ++b) pairs.push_back(pair_of_raters(raters[a], raters[b]));
    return {{"items", shared}, {"alpha_ordinal", optional_json(ordinal_alpha(items))}, {"raters", pairs}};
}

// Mean marks of each sentence, by system.
using MeansBySystem = std::map<std::string, std::map<std::string, double>>;

MeansBySystem means_by_system(const std::vector<RaterSheet>& raters, const RatingKey& key) {
    MeansBySystem means;
    for (const RatingItem& one : key.items)
        if (const std::vector<int64_t> given = marks_of(raters, one.item); !given.empty())
            means[one.system][one.id] = mean_of(given);
    return means;
}

struct ComparedSystems {
    Json told;
    std::optional<double> p;
};

ComparedSystems compared(const std::string& a, const std::string& b, const MeansBySystem& means,
                         const PairedOptions& options) {
    PairedMeans both;
    int64_t wins = 0, losses = 0;
    if (means.contains(a) && means.contains(b)) {
        for (const auto& [id, mean] : means.at(a)) {
            const auto found = means.at(b).find(id);
            if (found == means.at(b).end()) continue;
            both.a.push_back(mean);
            both.b.push_back(found->second);
            wins += mean > found->second ? 1 : 0;
            losses += mean < found->second ? 1 : 0;
        }
    }
    const auto n = static_cast<int64_t>(both.a.size());
    Json told = {{"a", a},
                 {"b", b},
                 {"n", n},
                 {"wins", wins},
                 {"ties", n - wins - losses},
                 {"losses", losses},
                 {"difference", nullptr},
                 {"interval", nullptr},
                 {"p", nullptr}};
    if (n == 0) return {told, std::nullopt};
    const PairedResult result = paired_test(both, options);
    told["difference"] = result.difference;
    told["interval"] = {result.low, result.high};
    told["p"] = result.p;
    return {told, result.p};
}

Json comparisons_json(const std::vector<RaterSheet>& raters, const RatingKey& key, const PairedOptions& options) {
    const MeansBySystem means = means_by_system(raters, key);
    std::vector<ComparedSystems> all;
    std::vector<double> p;
    for (size_t a = 0; a < key.systems.size(); ++a)
        for (size_t b = a + 1; b < key.systems.size(); ++b) {
            all.push_back(compared(key.systems[a], key.systems[b], means, options));
            if (all.back().p) p.push_back(*all.back().p);
        }
    const std::vector<double> adjusted = holm_adjusted(p);
    Json told = Json::array();
    size_t next = 0;
    for (ComparedSystems& one : all) {
        one.told["p_holm"] = one.p ? Json(adjusted[next++]) : Json(nullptr);
        told.push_back(std::move(one.told));
    }
    return told;
}

std::string cell(const Json& value, const char* format, double times = 1) {
    if (value.is_null()) return "-";
    char text[64];
    std::snprintf(text, sizeof text, format, value.get<double>() * times);
    return text;
}

std::string padded(const std::string& text, size_t width) {
    return text.size() >= width ? text : std::string(width - text.size(), ' ') + text;
}

}  // namespace

Json rating_figures(const std::vector<RaterSheet>& raters, const RatingKey& key, const RatingFiguresOptions& options) {
    const bool any = std::any_of(raters.begin(), raters.end(), [](const RaterSheet& rater) { return !rater.marks.empty(); });
    if (!any) {
        std::map<std::string, int64_t> why;
        for (const RaterSheet& rater : raters)
            for (const auto& [reason, lines] : rater.unusable) why[reason] += static_cast<int64_t>(lines.size());
        throw Error("ratings", "a mark from 1 to 5", "none" + dropped_note(why));
    }
    Json told = {{"policy", key.policy}, {"raters", Json::array()}, {"systems", Json::object()}};
    for (const RaterSheet& rater : raters) told["raters"].push_back(rater_json(rater));
    for (const std::string& system : key.systems) told["systems"][system] = system_json(system, raters, key);
    if (raters.size() > 1) told["agreement"] = agreement_json(raters, key);
    told["comparisons"] = comparisons_json(raters, key, options.paired);
    return told;
}

std::string rating_table(const Json& figures) {
    size_t width = 6;
    for (const auto& [system, one] : figures["systems"].items()) width = std::max(width, system.size());
    std::string text = std::string(width, ' ') + "  items  marks   mean   above 4  3 to 4  below 3\n";
    for (const auto& [system, one] : figures["systems"].items())
        text += system + std::string(width - system.size(), ' ') + padded(cell(one["items"], "%.0f"), 7) +
                padded(cell(one["marks"], "%.0f"), 7) + padded(cell(one["mean"], "%.2f"), 7) +
                padded(cell(one["high"], "%.0f %%", 100), 10) + padded(cell(one["moderate"], "%.0f %%", 100), 8) +
                padded(cell(one["low"], "%.0f %%", 100), 9) + "\n";
    for (const Json& one : figures["comparisons"])
        text += one["a"].get<std::string>() + " - " + one["b"].get<std::string>() + ": " + cell(one["difference"], "%+.2f") +
                (one["interval"].is_null()
                     ? ""
                     : " (" + cell(one["interval"][0], "%+.2f") + " to " + cell(one["interval"][1], "%+.2f") + ")") +
                ", p " + cell(one["p_holm"], "%.3g") + " by Holm, " + cell(one["n"], "%.0f") + " sentences\n";
    if (figures.contains("agreement"))
        text += "agreement on " + cell(figures["agreement"]["items"], "%.0f") + " items: alpha " +
                cell(figures["agreement"]["alpha_ordinal"], "%.2f") + "\n";
    return text;
}

}  // namespace craft
