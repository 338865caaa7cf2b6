// How fast texts are measured, one core: bench_metrics FILE [ITEMS] [METRIC...]. FILE has rows as `eval metric` reads them,
// which are repeated until there are ITEMS, each with its number after the texts so that nothing can be remembered. Reading
// is not counted. benchmarks/metrics.py does the same with EASSE's SARI, sacreBLEU, JFLEG's GLEU and rouge-score.
//   bench_metrics --threads FILE [ITEMS] [METRIC...]    seconds on the clock of all that `eval metric` does but start up, by
//   one
//                                                       thread and by two, reading and rows included
#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <string>
#include <vector>

#include "core/json.h"
#include "core/spool.h"
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

std::string written(const std::vector<craft::MetricItem>& items) {
    const std::string path = (std::filesystem::temp_directory_path() / "bench_metrics.jsonl").string();
    craft::JsonLinesWriter file(path);
    for (size_t i = 0; i < items.size(); ++i)
        file.write({{"id", std::to_string(i)},
                    {"source", items[i].source},
                    {"prediction", items[i].prediction},
                    {"references", items[i].references}});
    file.close();
    return path;
}

void run_threads(const std::string& file, size_t count, const std::vector<std::string>& names) {
    const std::string rows = written(items_of(file, count));
    for (const std::string& name : names) {
        std::array<double, 2> best = {1e9, 1e9};
        for (int turn = 0; turn < 3; ++turn) {
            for (const int64_t threads : {1, 2}) {
                const auto metric = craft::make_metric(name);
                craft::MetricRunOptions options;
                options.threads = threads;
                craft::Spool spool(std::filesystem::temp_directory_path());
                const auto start = std::chrono::steady_clock::now();
                craft::run_metric(*metric, rows, options, [&](const std::string& row) { spool.write(row); });
                const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
                double& least = best[static_cast<size_t>(threads - 1)];
                least = std::min(least, seconds);
            }
        }
        std::printf("%s one thread %.3f s, two %.3f s, %.2f times as fast\n", name.c_str(), best[0], best[1],
                    best[0] / best[1]);
    }
    std::filesystem::remove(rows);
}

}  // namespace

int main(int argc, char** argv) {
    try {
        std::vector<std::string> words(argv + 1, argv + argc);
        const bool threads = !words.empty() && words[0] == "--threads";
        if (threads) words.erase(words.begin());
        if (words.empty()) throw craft::Error("bench_metrics [--threads] FILE [ITEMS] [METRIC...]");
        const size_t items = words.size() > 1 ? std::stoull(words[1]) : 100000;
        std::vector<std::string> names(words.begin() + static_cast<std::ptrdiff_t>(std::min<size_t>(words.size(), 2)),
                                       words.end());
        if (names.empty()) names = {"sari", "bleu"};
        threads ? run_threads(words[0], items, names) : run(words[0], items, names);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "error: %s\n", error.what());
        return 1;
    }
    return 0;
}
