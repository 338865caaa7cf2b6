// S_r's scorers, and how their raw values become 0-100 (CRAFT App. D.3).
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "judge/scorers/registry.h"

namespace craft {

// The raw value of a revision, and of the text before it against itself, to 0-100.
using QualityScale = double (*)(double value, double initial);

// 100 (initial - value) / initial, within [0, 100]; 0 where the initial value is not a positive finite number.
double lower_is_better(double value, double initial);

struct QualityTerm {
    std::shared_ptr<Scorer> scorer;
    QualityScale to_hundred = nullptr;
};

// The scorers that have a scale: what S_r can be the mean of.
std::vector<std::string> quality_scorer_names();
// In the order of the names. Throws Error as open_scorers(), and on a scorer without a scale.
std::vector<QualityTerm> open_quality(const std::vector<std::string>& names, const ScorerResources& resources);

}  // namespace craft
