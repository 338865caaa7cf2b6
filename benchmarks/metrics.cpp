// How fast texts are measured, one core: bench_metrics FILE [ITEMS] [METRIC...]. FILE has rows as `eval metric` reads them,
// which are repeated until there are ITEMS, each with its number behind the texts so that nothing can be remembered. Reading
// is not counted. benchmarks/metrics.py does the same with EASSE's SARI, sacreBLEU, JFLEG's
// GLEU and rouge-score.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>
#include <vector>

#include "core/json.h"
#include "metrics/registry.h"
#include "metrics/runner.h"

namespace {

std::vector<craft::MetricItem> items_of(const std::string& file, size_t count) {
    std::vector<craft::MetricItem> rows, items;
    craft::JsonLinesReader reader(file);
    while (const auto row = reader.next())
        rows.push_back(
            craft::read_metric_item(*row, {.source = true, .prediction = true, .references = true}, reader.where()));
    if (rows.empty()) throw craft::Error(file, "at least one row", "none");
    for (size_t i = 0; i < count; ++i) {
        craft::MetricItem item = rows[i % rows.size()];
        const std::string number = " " + std::to_string(i / rows.size());
        item.source += number;
        item.prediction += number;
        for (std::string& reference : item.references) reference += number;
        items.push_back(std::move(item));
    }
    return items;
}

void run(const std::string& file, size_t count, const std::vector<std::string>& names) {
    const auto items = items_of(file, count);
    for (const std::string& name : names) {
        const auto metric = craft::make_metric(name);
        const std::clock_t start = std::clock();  // of the processor: other work on the machine does not count
        for (const auto& item : items) metric->add(metric->measure(item));
        const double figure = metric->corpus().at(name).get<double>();  // of GLEU: what takes longest
        const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
        std::printf("%s %.3f s, %.1f us an item, %.10g\n", name.c_str(), seconds, 1e6 * seconds / static_cast<double>(count),
                    figure);
    }
}

}  // namespace

int main(int argc, char** argv) {
    try {
        if (argc < 2) throw craft::Error("bench_metrics FILE [ITEMS] [METRIC...]");
        std::vector<std::string> names(argv + std::min(argc, 3), argv + argc);
        if (names.empty()) names = {"sari", "bleu"};
        run(argv[1], argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 100000, names);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "error: %s\n", error.what());
        return 1;
    }
    return 0;
}
