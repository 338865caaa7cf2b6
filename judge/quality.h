// S_r's scorers, and how their raw values become 0-100 (CRAFT App. D.3).
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "judge/scorers/registry.h"

namespace craft {

struct QualityTerm {
    std::shared_ptr<Scorer> scorer;
    QualityScale to_hundred = nullptr;
};

// The scorers that have a scale: what S_r can be the mean of.
std::vector<std::string> quality_scorer_names();
// In the order of the names. Throws Error as open_scorers(), and on a scorer without a scale.
std::vector<QualityTerm> open_quality(const std::vector<std::string>& names, const ScorerResources& resources);

}  // namespace craft
