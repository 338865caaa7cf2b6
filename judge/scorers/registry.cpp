#include "judge/scorers/registry.h"

#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "judge/scorers/perplexity.h"

namespace craft {

namespace {

std::shared_ptr<Scorer> open_perplexity(const ScorerResources& resources) {
    LanguageModel model = resources.language_model();
    return std::make_shared<PerplexityScorer>(std::move(model.decoder), std::move(model.tokenizer),
                                              PerplexityOptions{.sentences = resources.sentences});
}

}  // namespace

// A new scorer is a file with its class and a function that opens it, which is declared above, and a line here.
const std::vector<ScorerKind>& scorer_kinds() {
    static const std::vector<ScorerKind> kinds = {
        {"perplexity", /*needs_language_model=*/true, lower_is_better, open_perplexity},
    };
    return kinds;
}

double lower_is_better(double value, double initial) {
    if (!std::isfinite(initial) || initial <= 0 || std::isnan(value)) return 0;
    return std::clamp(100 * (initial - value) / initial, 0.0, 100.0);
}

std::vector<std::string> scorer_names() {
    std::vector<std::string> names;
    for (const ScorerKind& kind : scorer_kinds()) names.push_back(kind.name);
    return names;
}

const ScorerKind& scorer_kind(const std::string& name) {
    const auto& kinds = scorer_kinds();
    const auto found = std::find_if(kinds.begin(), kinds.end(), [&](const ScorerKind& kind) { return kind.name == name; });
    if (found == kinds.end()) throw_unknown("scorer", name, scorer_names());
    return *found;
}

bool need_language_model(const std::vector<std::string>& names) {
    return std::any_of(names.begin(), names.end(), [](const std::string& n) { return scorer_kind(n).needs_language_model; });
}

std::vector<std::shared_ptr<Scorer>> open_scorers(const std::vector<std::string>& names, const ScorerResources& resources) {
    std::vector<std::shared_ptr<Scorer>> scorers;
    for (const std::string& name : names) {
        const ScorerKind& kind = scorer_kind(name);
        if (kind.needs_language_model && !resources.language_model)
            throw Error("scorer " + name, "a language model to measure with", "none", "give --perplexity-model");
        scorers.push_back(kind.open(resources));
    }
    return scorers;
}

}  // namespace craft
