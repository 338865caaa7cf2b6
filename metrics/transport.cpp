#include "metrics/transport.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace craft {

namespace {

void check(std::span<const double> rows, std::span<const double> columns, std::span<const double> cost,
           const TransportOptions& options) {
    if (cost.size() != rows.size() * columns.size())
        throw std::invalid_argument("transport: a cost for each row and column");
    const auto is_positive = [](double value) { return value > 0 && std::isfinite(value); };
    if (!std::all_of(rows.begin(), rows.end(), is_positive) || !std::all_of(columns.begin(), columns.end(), is_positive))
        throw std::invalid_argument("transport: weights above 0");
    if (!std::all_of(cost.begin(), cost.end(), [](double value) { return std::isfinite(value); }))
        throw std::invalid_argument("transport: finite costs");
    if (!is_positive(options.epsilon) || !is_positive(options.tau))
        throw std::invalid_argument("transport: epsilon and tau above 0");
}

// log(sum over j of exp(value(j))).
template <typename Value>
double log_sum(size_t count, Value value) {
    double most = -std::numeric_limits<double>::infinity(), sum = 0;
    for (size_t j = 0; j < count; ++j) most = std::max(most, value(j));
    for (size_t j = 0; j < count; ++j) sum += std::exp(value(j) - most);
    return most + std::log(sum);
}

// One half of an iteration; the largest change of a factor's logarithm.
template <typename Kernel>
double renew(std::vector<double>& factors, std::span<const double> weights, const std::vector<double>& others, double power,
             Kernel log_kernel) {
    double change = 0;
    for (size_t i = 0; i < factors.size(); ++i) {
        const double sum = log_sum(others.size(), [&](size_t j) { return log_kernel(i, j) + others[j]; });
        const double factor = power * (std::log(weights[i]) - sum);
        change = std::max(change, std::abs(factor - factors[i]));
        factors[i] = factor;
    }
    return change;
}

}  // namespace

TransportPlan unbalanced_transport(std::span<const double> rows, std::span<const double> columns,
                                   std::span<const double> cost, const TransportOptions& options) {
    check(rows, columns, cost, options);
    TransportPlan result;
    if (cost.empty()) return result;
    const double power = options.tau / (options.tau + options.epsilon);
    const auto kernel = [&](size_t i, size_t j) { return -cost[i * columns.size() + j] / options.epsilon; };
    std::vector<double> of_rows(rows.size(), 0), of_columns(columns.size(), 0);
    result.converged = false;
    while (!result.converged && result.iterations < options.max_iterations) {
        const double change =
            std::max(renew(of_rows, rows, of_columns, power, kernel),
                     renew(of_columns, columns, of_rows, power, [&](size_t j, size_t i) { return kernel(i, j); }));
        ++result.iterations;
        result.converged = change <= options.stop;
    }
    result.plan.reserve(cost.size());
    for (size_t i = 0; i < rows.size(); ++i)
        for (size_t j = 0; j < columns.size(); ++j)
            result.plan.push_back(std::exp(of_rows[i] + kernel(i, j) + of_columns[j]));
    return result;
}

}  // namespace craft
