#include "judge/quality.h"

#include <algorithm>

#include "core/error.h"
#include "text/lists.h"

namespace craft {

namespace {

bool can_be_rewarded(const ScorerKind& kind) {
    return kind.scale != nullptr || kind.tells_scale;
}

// 100 (value - lowest) / (highest - lowest), of what the scorer has said its values range over.
double on_told_scale(const Scorer& scorer, double value) {
    const auto scale = scorer.scale();
    if (!scale)
        throw Error("S_r: scorer " + scorer.name(), "answers with a \"scale\", [lowest,highest]", "none",
                    "without one a score can be reported, not rewarded");
    return std::clamp(100 * (value - scale->first) / (scale->second - scale->first), 0.0, 100.0);
}

}  // namespace

std::vector<std::string> quality_scorer_forms() {
    std::vector<std::string> forms;
    for (const ScorerKind& kind : scorer_kinds())
        if (can_be_rewarded(kind)) forms.push_back(scorer_form(kind));
    return forms;
}

std::string quality_scorer_problem(const std::string& name) {
    for (const ScorerKind& kind : scorer_kinds())
        if (can_be_rewarded(kind) && names_scorer(name, kind)) return "";
    std::vector<std::string> known;
    for (const ScorerKind& kind : scorer_kinds())
        if (can_be_rewarded(kind)) known.push_back(kind.name);
    return "expected one of " + join(quality_scorer_forms(), ", ") + ", got '" + name + "'" +
           did_you_mean(name.substr(0, name.find(':')), known);
}

std::vector<QualityTerm> open_quality(const std::vector<std::string>& names, const ScorerResources& resources) {
    std::vector<QualityTerm> terms;
    for (auto& scorer : open_scorers(names, resources)) {
        const ScorerKind& kind = scorer_kind(scorer->name());
        if (!can_be_rewarded(kind))
            throw Error("S_r", "scorers with a scale of 0 to 100", scorer->name(), "it can be reported, not rewarded");
        if (kind.scale != nullptr)
            terms.push_back({scorer, kind.scale});
        else
            terms.push_back({scorer, [scorer](double value, double) { return on_told_scale(*scorer, value); }});
    }
    return terms;
}

}  // namespace craft
