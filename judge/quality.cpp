#include "judge/quality.h"

#include "core/error.h"

namespace craft {

std::vector<std::string> quality_scorer_names() {
    std::vector<std::string> names;
    for (const ScorerKind& kind : scorer_kinds())
        if (kind.scale != nullptr) names.push_back(kind.name);
    return names;
}

std::vector<QualityTerm> open_quality(const std::vector<std::string>& names, const ScorerResources& resources) {
    std::vector<QualityTerm> terms;
    for (auto& scorer : open_scorers(names, resources)) {
        const QualityScale scale = scorer_kind(scorer->name()).scale;
        if (scale == nullptr)
            throw Error("S_r", "scorers with a scale of 0 to 100", scorer->name(), "it can be reported, not rewarded");
        terms.push_back({std::move(scorer), scale});
    }
    return terms;
}

}  // namespace craft
