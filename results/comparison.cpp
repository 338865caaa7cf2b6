#include "results/comparison.h"

#include <algorithm>
#include <cmath>

#include "core/utf8.h"
#include "statistics/holm.h"

namespace craft {

namespace {

constexpr size_t kShownIds = 3;
constexpr double kTie = 1e-12;  // figures of an item that differ by less do so by rounding

// "2 only in a.json ('x', 'y')", or nothing.
std::string only_in(const EvalResult& here, const EvalResult& there) {
    size_t count = 0;
    std::string shown;
    for (const auto& [id, item] : here.items) {
        if (there.items.contains(id)) continue;
        if (++count <= kShownIds) shown += (shown.empty() ? "'" : ", '") + shortened(id, 60) + "'";
    }
    if (count == 0) return "";
    return std::to_string(count) + " only in " + here.name + " (" + shown + (count > kShownIds ? ", ..." : "") + ")";
}

void check_same_ids(const EvalResult& a, const EvalResult& b) {
    const std::string in_a = only_in(a, b), in_b = only_in(b, a);
    if (in_a.empty() && in_b.empty()) return;
    throw Error("ids", "the same on both sides", in_a + (in_a.empty() || in_b.empty() ? "" : ", ") + in_b);
}

void check_same_scorer(const EvalResult& a, const EvalResult& b) {
    const Json of_a = scorer_of(a.head), of_b = scorer_of(b.head);
    if (of_a == of_b) return;
    throw Error(
        "scorers", "the same on both sides",
        shortened(dump_line(of_a), 200) + " in " + a.name + ", " + shortened(dump_line(of_b), 200) + " in " + b.name);
}

std::string figure_to_compare(const EvalResult& a, const EvalResult& b, const std::string& asked) {
    if (!asked.empty()) return asked;
    const std::string of_a = main_figure(a), of_b = main_figure(b);
    if (of_a == of_b) return of_a;
    throw Error("main figures", "the same on both sides", of_a + " in " + a.name + ", " + of_b + " in " + b.name);
}

}  // namespace

Comparison compare_results(const EvalResult& a, const EvalResult& b, const std::string& metric,
                           const ComparisonOptions& options) {
    check_same_scorer(a, b);
    check_same_ids(a, b);
    Comparison found;
    found.metric = figure_to_compare(a, b, metric);
    found.test = options.test;
    found.higher_is_better = options.higher_is_better.value_or(!is_lower_better(found.metric));
    std::vector<double> of_a, of_b;
    for (const auto& [id, item] : a.items) {
        const auto first = item_figure(a, id, found.metric), second = item_figure(b, id, found.metric);
        if (!first || !second) {
            ++found.left_out;
            continue;
        }
        of_a.push_back(*first);
        of_b.push_back(*second);
        const double difference = found.higher_is_better ? *first - *second : *second - *first;
        const bool tie = std::abs(difference) <= kTie * std::max(std::abs(*first), std::abs(*second));
        ++(tie ? found.ties : difference > 0 ? found.wins : found.losses);
    }
    found.n = static_cast<int64_t>(of_a.size());
    if (of_a.empty())
        throw Error(a.name + " and " + b.name, "items with the figure '" + found.metric + "' on both sides",
                    "none of " + std::to_string(a.items.size()), "--metric names another one");
    found.result =
        paired_test(paired_means(of_a, of_b), {found.test, options.resamples, options.seed, found.higher_is_better});
    found.corpus_a = corpus_figure(a, found.metric);
    found.corpus_b = corpus_figure(b, found.metric);
    return found;
}

std::vector<Comparison> compare_figures(const EvalResult& a, const EvalResult& b, const std::vector<std::string>& metrics,
                                        const ComparisonOptions& options) {
    std::vector<Comparison> all;
    std::vector<double> p;
    for (const std::string& metric : metrics) {
        for (const Comparison& before : all)
            if (before.metric == metric) throw Error("figures to compare", "each once", "'" + metric + "' again");
        all.push_back(compare_results(a, b, metric, options));
        p.push_back(all.back().result.p);
    }
    if (all.size() < 2) return all;
    const std::vector<double> adjusted = holm_adjusted(p);
    for (size_t i = 0; i < all.size(); ++i) all[i].p_holm = adjusted[i];
    return all;
}

Json to_json(const Comparison& c) {
    const PairedResult& r = c.result;
    Json json = {{"metric", c.metric},
                 {"test", paired_test_name(c.test)},
                 {"better", c.higher_is_better ? "higher" : "lower"},
                 {"statistic", "mean of items"},
                 {"a", r.a},
                 {"b", r.b},
                 {"difference", r.difference},
                 {"interval", {r.low, r.high}},
                 {"p", r.p}};
    if (c.p_holm) json["p_holm"] = *c.p_holm;
    json["wins"] = c.wins;
    json["ties"] = c.ties;
    json["losses"] = c.losses;
    json["n"] = c.n;
    json["left_out"] = c.left_out;
    json["resamples"] = r.resamples;
    json["a_better"] = r.a_better;
    json["b_better"] = r.b_better;
    json["share_b_better"] = static_cast<double>(r.b_better) / static_cast<double>(r.resamples);
    if (c.corpus_a || c.corpus_b) json["corpus"] = {{"a", value_or_null(c.corpus_a)}, {"b", value_or_null(c.corpus_b)}};
    return json;
}

Json to_json(const std::vector<Comparison>& comparisons) {
    if (comparisons.size() == 1) return to_json(comparisons[0]);
    Json all = Json::array();
    for (const Comparison& one : comparisons) all.push_back(to_json(one));
    return {{"correction", "holm"}, {"comparisons", std::move(all)}};
}

std::string paired_test_name(PairedTest test) {
    return test == PairedTest::sign ? "sign" : test == PairedTest::bootstrap ? "bootstrap" : "permutation";
}

}  // namespace craft
