#include "judge/scorers/word_links.h"

#include <algorithm>

#include "metrics/transport.h"

namespace craft {

namespace {

constexpr double kLeast = 1e-10;

double place_of(size_t index, size_t count) {
    return static_cast<double>(index) / static_cast<double>(count - 1);
}

}  // namespace

void scale_to_unit(std::vector<double>& values) {
    if (values.empty()) return;
    const auto [least, most] = std::minmax_element(values.begin(), values.end());
    const double low = *least, range = *most - *least;
    for (double& value : values) value = (value - low + kLeast) / (range + kLeast);
}

WordMatrix alignment_cost(const WordMatrix& cosines, double distortion) {
    WordMatrix cost = cosines;
    const bool has_places = cost.rows > 1 && cost.columns > 1;
    for (size_t i = 0; i < cost.rows; ++i)
        for (size_t j = 0; j < cost.columns; ++j) {
            double& value = cost.values[i * cost.columns + j];
            value = (value + 1) / 2;
            if (!has_places) continue;
            const double apart = place_of(i, cost.rows) - place_of(j, cost.columns);
            value *= 1 - distortion * apart * apart;
        }
    scale_to_unit(cost.values);
    for (double& value : cost.values) value = 1 - value;
    return cost;
}

WordMatrix alignment_plan(const WordMatrix& cost, const WordAlignerOptions& options) {
    const std::vector<double> rows(cost.rows, 1), columns(cost.columns, 1);
    WordMatrix plan{cost.rows, cost.columns,
                    unbalanced_transport(rows, columns, cost.values, {.epsilon = options.epsilon, .tau = options.tau}).plan};
    scale_to_unit(plan.values);
    return plan;
}

std::vector<std::pair<size_t, size_t>> alignment_links(const WordMatrix& plan, double threshold) {
    std::vector<std::pair<size_t, size_t>> links;
    for (size_t i = 0; i < plan.rows; ++i)
        for (size_t j = 0; j < plan.columns; ++j)
            if (plan.values[i * plan.columns + j] > threshold) links.emplace_back(i, j);
    return links;
}

std::vector<std::pair<size_t, size_t>> unlinked_in_one_place(size_t rows, size_t columns,
                                                             const std::vector<std::pair<size_t, size_t>>& links) {
    // Of each row the first column after its links and the first one that they take.
    std::vector<size_t> behind(rows, 0), first(rows, columns);
    std::vector<bool> row_linked(rows, false), column_linked(columns, false);
    for (const auto& [i, j] : links) {
        behind[i] = std::max(behind[i], j + 1);
        first[i] = std::min(first[i], j);
        row_linked[i] = column_linked[j] = true;
    }
    std::vector<size_t> until(rows + 1, columns);  // where the place of the rows from here on ends
    for (size_t i = rows; i-- > 0;) until[i] = row_linked[i] ? first[i] : until[i + 1];
    std::vector<std::pair<size_t, size_t>> pairs;
    size_t from = 0;
    for (size_t i = 0; i < rows; ++i) {
        if (row_linked[i]) {
            from = behind[i];
            continue;
        }
        for (size_t j = from; j < until[i]; ++j)
            if (!column_linked[j]) pairs.emplace_back(i, j);
    }
    return pairs;
}

}  // namespace craft
