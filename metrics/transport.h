// Unbalanced optimal transport with an entropy term: how much of each word's weight goes to which word of another text where
// some of it may go nowhere (Chizat et al. 2018; Arase et al. 2023, Unbalanced Optimal Transport for Unbalanced Word
// Alignment, §3).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace craft {

struct TransportOptions {
    double epsilon = 0.1;  // weight of the entropy, above 0
    double tau = 0.88;     // weight of what the plan's margins may differ from the weights, above 0
    double stop = 1e-6;    // ends where the logarithm of no factor of a row or column changes by more
    int64_t max_iterations = 1000;
};

struct TransportPlan {
    std::vector<double> plan;  // rows x columns, row by row
    int64_t iterations = 0;
    bool converged = true;
};

// Minimises <plan, cost> + epsilon sum plan (log plan - 1) + tau KL(row sums || rows) + tau KL(column sums || columns) by
// Sinkhorn's iteration on logarithms, so that no cost or epsilon over- or underflows. `cost` is rows x columns, row by row.
// Throws std::invalid_argument on sizes that do not fit, weights or options that are not above 0, and costs that are not
// finite. Without rows or columns the plan is empty.
TransportPlan unbalanced_transport(std::span<const double> rows, std::span<const double> columns,
                                   std::span<const double> cost, const TransportOptions& options = {});

}  // namespace craft
