#include "eval/results/comparison.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/log.h"
#include "core/utf8.h"
#include "metrics/corpus_sums.h"
#include "metrics/edits/edit_sums.h"
#include "metrics/statistics/holm.h"

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

void check_same_scorer(const EvalResult& a, const EvalResult& b, const std::string& figure) {
    const Json of_a = scorer_of(a.head, figure), of_b = scorer_of(b.head, figure);
    if (of_a == of_b) return;
    throw Error(
        "scorers", "the same on both sides",
        shortened(dump_line(of_a), 200) + " in " + a.name + ", " + shortened(dump_line(of_b), 200) + " in " + b.name);
}

std::string figure_to_compare(const EvalResult& a, const EvalResult& b, const std::string& asked) {
    if (!asked.empty()) return asked;
    const std::string of_a = main_figure(a), of_b = main_figure(b);
    if (of_a == of_b) return of_a;
    check_same_scorer(a, b, "");
    throw Error("main figures", "the same on both sides", of_a + " in " + a.name + ", " + of_b + " in " + b.name);
}

// The items that are compared, and their figures.
struct Compared {
    std::vector<std::string> ids;
    PairedMeans figures;
};

// The figure of a result's items as one of what they add up to; nullptr where it is a mean of items.
std::unique_ptr<CorpusSums> sums_of(const EvalResult& result, const std::string& figure, const SummedItems& items) {
    if (!result.head.contains("metric") || !result.head.at("metric").is_string()) return nullptr;
    const auto metric = result.head.at("metric").get<std::string>();
    const Json options = result.head.contains("options") ? result.head.at("options") : Json::object();
    const bool has_beta = options.is_object() && options.contains("beta") && options.at("beta").is_number();
    if (has_beta) {
        if (auto sums = edit_sums(metric, options.at("beta").get<double>(), figure, items.counts, result.name)) return sums;
    }
    return corpus_sums(metric, options, figure, items, result.name);
}

std::optional<SummedItems> summed_items(const EvalResult& result, const std::vector<std::string>& ids) {
    SummedItems items;
    int64_t most = 1;
    for (const std::string& id : ids) {
        auto summands = item_summands(result, id);
        if (!summands) continue;
        for (const int64_t number : *summands) most = std::max(most, number);
        items.counts.push_back(std::move(*summands));
        items.places.push_back(result.places.at(id));
    }
    if (items.counts.empty()) return std::nullopt;
    if (items.counts.size() < ids.size())
        throw Error(result.name + ": field 'summands'", "it in every item",
                    "it in " + std::to_string(items.counts.size()) + " of " + std::to_string(ids.size()));
    if (most > std::numeric_limits<int64_t>::max() / static_cast<int64_t>(ids.size()))
        throw Error(result.name + ": field 'summands'", "numbers that can be summed", std::to_string(most));
    return items;
}

// How far each pair of items fits together.
void check_same_sizes(const Compared& compared, const SummedItems& a, const SummedItems& b) {
    for (size_t i = 0; i < compared.ids.size(); ++i)
        if (a.counts[i].size() != b.counts[i].size())
            throw Error("item '" + shortened(compared.ids[i], 80) + "': field 'summands'", "as many numbers on both sides",
                        std::to_string(a.counts[i].size()) + " and " + std::to_string(b.counts[i].size()),
                        "were both scored against the same references?");
}

// Nothing where the figure is a mean of items, or where the results do not say what it is made of.
std::optional<PairedResult> test_of_corpus(const EvalResult& a, const EvalResult& b, const std::string& figure,
                                           const Compared& compared, const PairedOptions& options) {
    if (!sums_of(a, figure, {})) return std::nullopt;
    const auto items_a = summed_items(a, compared.ids), items_b = summed_items(b, compared.ids);
    if (!items_a || !items_b) {
        log_warning((items_a ? b : a).name +
                    ": items have no \"summands\": comparing means of items, which the corpus figure \"" + figure +
                    "\" is not; rerun `eval` to write them");
        return std::nullopt;
    }
    check_same_sizes(compared, *items_a, *items_b);
    const auto sums_a = sums_of(a, figure, *items_a), sums_b = sums_of(b, figure, *items_b);
    return paired_test(PairedSums{*sums_a, *sums_b}, options);
}

Compared compared_items(const EvalResult& a, const EvalResult& b, Comparison& found) {
    Compared compared;
    for (const auto& [id, item] : a.items) {
        const auto first = item_figure(a, id, found.metric), second = item_figure(b, id, found.metric);
        if (!first || !second) {
            ++found.left_out;
            continue;
        }
        compared.ids.push_back(id);
        compared.figures.a.push_back(*first);
        compared.figures.b.push_back(*second);
        const double difference = found.higher_is_better ? *first - *second : *second - *first;
        const bool tie = std::abs(difference) <= kTie * std::max(std::abs(*first), std::abs(*second));
        ++(tie ? found.ties : difference > 0 ? found.wins : found.losses);
    }
    found.n = static_cast<int64_t>(compared.ids.size());
    if (compared.ids.empty())
        throw Error(
            a.name + " and " + b.name, "items with the figure '" + found.metric + "' on both sides",
            "none of " + std::to_string(a.items.size()),
            "--metric names another one: " + figure_names(a) + " in " + a.name + ", " + figure_names(b) + " in " + b.name);
    return compared;
}

bool is_higher_better(const EvalResult& a, const EvalResult& b, const std::string& figure,
                      const ComparisonOptions& options) {
    if (options.higher_is_better) return *options.higher_is_better;
    const Better of_a = better_of(a.head, figure), of_b = better_of(b.head, figure);
    if (of_a == of_b && of_a != Better::unsaid) return of_a == Better::higher;
    throw Error("figure '" + figure + "'", "one of which more or less is better",
                of_a == of_b ? "one that only describes" : "other answers in " + a.name + " and " + b.name,
                "--better higher or --better lower says which");
}

}  // namespace

Comparison compare_results(const EvalResult& a, const EvalResult& b, const std::string& metric,
                           const ComparisonOptions& options) {
    Comparison found;
    found.metric = figure_to_compare(a, b, metric);
    check_same_scorer(a, b, found.metric);
    check_same_ids(a, b);
    found.test = options.test;
    found.higher_is_better = is_higher_better(a, b, found.metric, options);
    const Compared compared = compared_items(a, b, found);
    const PairedOptions how{found.test, options.resamples, options.seed, found.higher_is_better, options.threads};
    const auto of_corpus = test_of_corpus(a, b, found.metric, compared, how);
    found.of_corpus = of_corpus.has_value();
    found.result = of_corpus ? *of_corpus : paired_test(compared.figures, how);
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
                 {"statistic", c.of_corpus ? "corpus" : "mean of items"},
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
