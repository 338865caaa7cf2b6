// Is one system better than another on the same items? Tests that resample the items (docs/comparison.md).
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "metrics/statistics/corpus_sums.h"

namespace craft {

enum class PairedTest {
    sign,         // one-tailed sign test over bootstrap resamples (CRAFT App. D.6)
    bootstrap,    // one-tailed: the share of resamples in which A is not better (Koehn 2004)
    permutation,  // two-tailed approximate randomisation: A and B change places item by item (Noreen 1989)
};

// Items whose corpus figure is their mean; item i of `a` belongs to item i of `b`.
struct PairedMeans {
    std::vector<double> a, b;
};
// Items whose corpus figure is one of their sums, made again for every resample.
struct PairedSums {
    const CorpusSums &a, &b;
};

struct PairedOptions {
    PairedTest test = PairedTest::sign;
    std::optional<int64_t> resamples;  // absent: 100 for the sign test, as in the paper, else 10,000
    uint64_t seed = 1;                 // of the draws; resample r has a random stream of its own
    bool higher_is_better = true;
    int64_t threads = 1;  // that draw; they change no digit
};

struct PairedResult {
    double a = 0, b = 0, difference = 0;  // corpus figures on the items as they are; a - b
    double low = 0, high = 0;             // 95 % percentile bootstrap interval of the difference
    double p = 1;
    int64_t resamples = 0;
    int64_t a_better = 0, b_better = 0;  // bootstrap resamples in which A's, B's figure is better; the others are ties
};

// The same items in the same order give the same digits whatever runs beside it; the resamples hang on the seed and the
// number of items alone, so that figures of the same items are drawn alike. Throws Error if there is no item or no resample,
// or if a figure is no finite number, std::logic_error if items do not fit together.
PairedResult paired_test(const PairedMeans& items, const PairedOptions& options);
PairedResult paired_test(const PairedSums& items, const PairedOptions& options);

using Interval = std::pair<double, double>;  // low, high

// 95 % percentile bootstrap interval of a mean, over as many resamples as paired_test() draws. Throws as it does.
Interval interval_of_mean(const std::vector<double>& items);

// The same of a corpus figure, which every resample must have.
struct FigureInterval {
    double figure = 0;  // on the items as they are
    Interval interval;
};
FigureInterval interval_of_figure(const CorpusSums& items);

}  // namespace craft
