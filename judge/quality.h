// S_r's scorers, and how their raw values become 0-100 (CRAFT App. D.3).
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "judge/scorers/registry.h"

namespace craft {

struct QualityTerm {
    std::shared_ptr<Scorer> scorer;
    std::function<double(double value, double initial)> to_hundred;  // as QualityScale
};

// The scorers that have a scale, and those whose values tell one: what S_r can be the mean of, as they are asked for
// ("bartscore:MODEL").
std::vector<std::string> quality_scorer_forms();
// In the order of the names. Throws Error as open_scorers(), and on a scorer without a scale. The terms of a scorer whose
// values tell their scale throw Error where they do not.
std::vector<QualityTerm> open_quality(const std::vector<std::string>& names, const ScorerResources& resources);
// What is wrong with a name as S_r's scorer, e.g. "expected one of perplexity, bartscore:MODEL, got 'x'"; "": nothing is.
std::string quality_scorer_problem(const std::string& name);

}  // namespace craft
