#include "metrics/corpus_sums.h"

#include <algorithm>

#include "metrics/registry.h"
#include "text/lists.h"

namespace craft {

namespace {

// The figures of a corpus of one item that has these counts.
Json figures_of(const std::string& metric, const MetricOptions& options, std::vector<int64_t> counts) {
    const std::unique_ptr<Metric> corpus = make_metric(metric, options);
    ItemScore all;
    all.counts = std::move(counts);
    corpus->add(all);
    return corpus->corpus();
}

bool has_figure(const Json& figures, const std::string& figure) {
    const auto found = figures.find(figure);
    return found != figures.end() && found->is_number();
}

}  // namespace

std::unique_ptr<CorpusSums> corpus_sums(const std::string& name, const Json& json, const std::string& figure,
                                        const SummedItems& items, const std::string& where) {
    const std::vector<std::string> known = metric_names();
    if (std::find(known.begin(), known.end(), name) == known.end()) return nullptr;
    const MetricOptions options = metric_options_of(json, where + ": options");
    if (const auto problems = metric_problems(name, options); !problems.empty())
        throw Error(where + ": options: " + join(problems, "; "));
    const std::unique_ptr<Metric> metric = make_metric(name, options);
    const size_t size = metric->summand_count();
    if (size == 0) return metric->sums(figure, items);
    if (!has_figure(figures_of(name, options, std::vector<int64_t>(size)), figure)) return nullptr;
    for (const std::vector<int64_t>& counts : items.counts)
        if (counts.size() != size)
            throw Error(where + ": field 'summands'", std::to_string(size) + " numbers per item",
                        std::to_string(counts.size()));
    return std::make_unique<CountSums>(items.counts, [name, options, figure](std::span<const double> sums) {
        return figures_of(name, options, {sums.begin(), sums.end()}).at(figure).get<double>();
    });
}

}  // namespace craft
