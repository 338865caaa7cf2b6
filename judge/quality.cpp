#include "judge/quality.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "core/error.h"

namespace craft {

namespace {

// By the scorer's name.
const std::map<std::string, QualityScale>& scales() {
    static const std::map<std::string, QualityScale> known = {{"perplexity", lower_is_better}};
    return known;
}

}  // namespace

double lower_is_better(double value, double initial) {
    if (!std::isfinite(initial) || initial <= 0 || std::isnan(value)) return 0;
    return std::clamp(100 * (initial - value) / initial, 0.0, 100.0);
}

std::vector<std::string> quality_scorer_names() {
    std::vector<std::string> names;
    for (const std::string& name : scorer_names())
        if (scales().contains(name)) names.push_back(name);
    return names;
}

std::vector<QualityTerm> open_quality(const std::vector<std::string>& names, const ScorerResources& resources) {
    std::vector<QualityTerm> terms;
    for (auto& scorer : open_scorers(names, resources)) {
        const auto scale = scales().find(scorer->name());
        if (scale == scales().end())
            throw Error("S_r", "scorers with a scale of 0 to 100", scorer->name(), "it can be reported, not rewarded");
        terms.push_back({std::move(scorer), scale->second});
    }
    return terms;
}

}  // namespace craft
