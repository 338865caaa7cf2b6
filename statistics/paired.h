// Is one system better than another on the same items? Tests that draw the items anew (docs/definitions.md, Comparisons).
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace craft {

enum class PairedTest {
    sign,         // one-tailed sign test over bootstrap resamples (CRAFT App. D.6)
    bootstrap,    // one-tailed: the share of resamples in which A is not better (Koehn 2004)
    permutation,  // two-tailed approximate randomisation: A and B change places item by item (Noreen 1989)
};

// A corpus figure as a function of sums over items. Every item has the same number of summands.
struct PairedItems {
    std::vector<std::vector<double>> a, b;  // an item's summands; item i of `a` belongs to item i of `b`
    // The corpus's figure of the summed summands. Empty: the mean of the only summand.
    std::function<double(std::span<const double>)> figure = {};
};
// Items whose corpus figure is their mean. Throws std::logic_error if there are not as many of both.
PairedItems paired_means(const std::vector<double>& a, const std::vector<double>& b);

struct PairedOptions {
    PairedTest test = PairedTest::sign;
    std::optional<int64_t> resamples;  // absent: 100 for the sign test, as in the paper, else 10,000
    uint64_t seed = 1;                 // of the draws; resample r has a random stream of its own
    bool higher_is_better = true;
};

struct PairedResult {
    double a = 0, b = 0, difference = 0;  // corpus figures on the items as they are; a - b
    double low = 0, high = 0;             // 95 % percentile bootstrap interval of the difference
    double p = 1;
    int64_t resamples = 0;
    int64_t a_better = 0, b_better = 0;  // bootstrap resamples in which A's, B's figure is better; the others are ties
};

// The same items in the same order give the same digits whatever runs beside it. Throws Error if there is no item or
// no resample, std::logic_error if items do not fit together.
PairedResult paired_test(const PairedItems& items, const PairedOptions& options);

}  // namespace craft
