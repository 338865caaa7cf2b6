#include "judge/scorers/registry.h"

#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "core/model_cache.h"
#include "core/process/persistent_command.h"
#include "judge/scorers/bartscore.h"
#include "judge/scorers/bertscore.h"
#include "judge/scorers/command_scorer.h"
#include "judge/scorers/perplexity.h"
#include "judge/scorers/preservation.h"
#include "judge/scorers/some.h"
#include "text/latex.h"

namespace craft {

namespace {

const char* const kModel = "MODEL";
const char* const kCommand = "COMMAND";

std::shared_ptr<Scorer> open_bartscore(const ScorerResources& r, BartScoreDirection direction) {
    const auto tokenizer = open_tokenizer(r.what);
    return std::make_shared<BartScorer>(Seq2Seq::load(r.what, r.dtype, r.device), tokenizer,
                                        BartScoreOptions{.direction = direction, .sentences = r.sentences});
}

std::shared_ptr<Scorer> open_bartscore_forward(const ScorerResources& r) {
    return open_bartscore(r, BartScoreDirection::forward);
}

std::shared_ptr<Scorer> open_bartscore_backward(const ScorerResources& r) {
    return open_bartscore(r, BartScoreDirection::backward);
}

std::shared_ptr<Scorer> open_bartscore_f(const ScorerResources& r) {
    return open_bartscore(r, BartScoreDirection::f);
}

std::shared_ptr<Scorer> open_bertscore(const ScorerResources& r) {
    const auto tokenizer = open_tokenizer(r.what);
    return std::make_shared<BertScoreOfPairs>(BertScorer(Encoder::load(r.what, r.dtype, r.device), tokenizer));
}

std::shared_ptr<Scorer> open_some_scorer(const ScorerResources& r) {
    SomeRegressors regressors = open_some(r.what, /*grammaticality_alone=*/false, r.dtype, r.device);
    SomeOptions options{.sentences = r.sentences};
    options.max_tokens = std::min(options.max_tokens, regressors.max_tokens());
    return std::make_shared<SomeScorer>(std::move(regressors), options);
}

JsonCommandOptions command_of(const ScorerResources& r) {
    JsonCommandOptions command = r.command;
    command.command = r.what;
    return command;
}

std::shared_ptr<Scorer> open_external(const ScorerResources& r) {
    return std::make_shared<CommandScorer>(command_of(r));
}

std::shared_ptr<Scorer> open_entities(const ScorerResources& r) {
    if (!r.what.empty())
        return std::make_shared<PreservationScorer>("entities", keywords_by_command(persistent_command(command_of(r))));
    if (!r.entities) throw Error("scorer entities", "a recogniser of names", "none", "give a command, entities:COMMAND");
    return std::make_shared<PreservationScorer>("entities", keywords_one_by_one(r.entities));
}

std::shared_ptr<Scorer> open_latex(const ScorerResources&) {
    return std::make_shared<PreservationScorer>(
        "latex", keywords_one_by_one([](const std::string& text) { return latex_keywords(text); }));
}

std::shared_ptr<Scorer> open_perplexity(const ScorerResources& r) {
    const PerplexityOptions options{.sentences = r.sentences};
    if (!r.what.empty()) {
        const auto tokenizer = open_tokenizer(r.what);
        return std::make_shared<PerplexityScorer>(Decoder::load(r.what, r.dtype, r.device), tokenizer, options);
    }
    LanguageModel model = r.language_model();
    return std::make_shared<PerplexityScorer>(std::move(model.decoder), std::move(model.tokenizer), options);
}

// Name and what comes after it, which may hold further colons.
std::pair<std::string, std::string> split_name(const std::string& name) {
    const size_t colon = name.find(':');
    if (colon == std::string::npos) return {name, ""};
    return {name.substr(0, colon), name.substr(colon + 1)};
}

bool asks_for_language_model(const std::string& name) {
    return scorer_kind(name).needs_language_model && split_name(name).second.empty();
}

}  // namespace

// A new scorer is a file with its class and a function that opens it, which is declared above, and a line here.
const std::vector<ScorerKind>& scorer_kinds() {
    static const std::vector<ScorerKind> kinds = {
        {"bartscore", false, bartscore_quality, open_bartscore_forward, kModel, /*needs_what=*/true},
        {"bartscore_backward", false, nullptr, open_bartscore_backward, kModel, true},
        {"bartscore_f", false, nullptr, open_bartscore_f, kModel, true},
        {"bertscore", false, share_quality, open_bertscore, kModel, true},
        {"entities", false, nullptr, open_entities, kCommand},
        {"external", false, nullptr, open_external, kCommand, true, /*tells_scale=*/true},
        {"latex", false, nullptr, open_latex},
        {"some", false, share_quality, open_some_scorer, kModel, true},
        {"perplexity", /*needs_language_model=*/true, lower_is_better, open_perplexity, kModel, false, false,
         /*more_is_better=*/false},
    };
    return kinds;
}

double lower_is_better(double value, double initial) {
    if (!std::isfinite(initial) || initial <= 0 || std::isnan(value)) return 0;
    return std::clamp(100 * (initial - value) / initial, 0.0, 100.0);
}

double bartscore_quality(double value, double initial) {
    if (!(initial > -10) || std::isnan(value)) return 0;
    return std::clamp(100 * (value + 10) / (initial + 10), 0.0, 100.0);
}

double share_quality(double value, double) {
    return std::isnan(value) ? 0 : std::clamp(100 * value, 0.0, 100.0);
}

std::vector<std::string> scorer_names() {
    std::vector<std::string> names;
    for (const ScorerKind& kind : scorer_kinds()) names.push_back(kind.name);
    return names;
}

const ScorerKind& scorer_kind(const std::string& name) {
    const auto& kinds = scorer_kinds();
    const std::string asked = split_name(name).first;
    const auto found = std::find_if(kinds.begin(), kinds.end(), [&](const ScorerKind& kind) { return kind.name == asked; });
    if (found == kinds.end()) throw_unknown("scorer", asked, scorer_names());
    return *found;
}

std::string scorer_form(const ScorerKind& kind) {
    if (kind.what.empty()) return kind.name;
    return kind.needs_what ? kind.name + ":" + kind.what : kind.name + "[:" + kind.what + "]";
}

bool names_scorer(const std::string& name, const ScorerKind& kind) {
    const auto [asked, what] = split_name(name);
    if (asked != kind.name || name.ends_with(':')) return false;
    return what.empty() ? !kind.needs_what : !kind.what.empty();
}

bool need_language_model(const std::vector<std::string>& names) {
    return std::any_of(names.begin(), names.end(), asks_for_language_model);
}

std::vector<std::filesystem::path> scorer_models(const std::vector<std::string>& names) {
    std::vector<std::filesystem::path> models;
    for (const std::string& name : names) {
        const std::string what = split_name(name).second;
        if (what.empty() || scorer_kind(name).what != kModel) continue;
        const std::filesystem::path model = named_model(what);
        if (std::find(models.begin(), models.end(), model) == models.end()) models.push_back(model);
    }
    return models;
}

std::vector<std::shared_ptr<Scorer>> open_scorers(const std::vector<std::string>& names, const ScorerResources& resources) {
    std::vector<std::shared_ptr<Scorer>> scorers;
    for (const std::string& name : names) {
        const ScorerKind& kind = scorer_kind(name);
        if (!names_scorer(name, kind)) throw Error("scorer " + kind.name, scorer_form(kind), "'" + name + "'");
        if (asks_for_language_model(name) && !resources.language_model)
            throw Error("scorer " + name, "a language model to measure with", "none", "give --perplexity-model");
        ScorerResources own = resources;
        own.what = split_name(name).second;
        if (kind.what == kModel && !own.what.empty()) own.what = named_model(own.what).string();
        scorers.push_back(kind.open(own));
    }
    return scorers;
}

}  // namespace craft
