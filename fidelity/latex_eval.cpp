#include "fidelity/latex_eval.h"

#include "core/signals.h"
#include "text/latex.h"

namespace craft {

namespace {

constexpr int64_t kLeastKeywords = 2;  // CRAFT App. D.8

}  // namespace

LatexEvaluation evaluate_latex(const TextPairs& texts, const LatexOptions& options) {
    LatexEvaluation evaluation;
    evaluation.preservation = evaluate_preservation(
        texts, [](const std::string& text) { return latex_keywords(text); }, kLeastKeywords);
    evaluation.compiles = is_latex_installed(options.program);
    std::map<std::string, const std::string*> revision_of;
    for (const TextPair& pair : texts.pairs) revision_of[pair.id] = &pair.revision;
    int64_t sum = 0, compiled = 0;
    for (const PreservationItem& item : evaluation.preservation.items) {
        throw_if_stopped();
        LatexOutcome outcome;
        if (evaluation.compiles) outcome = compile_latex(*revision_of.at(item.id), options);
        if (!outcome.problem.empty()) ++evaluation.not_compiled[outcome.problem];
        if (outcome.errors && item.is_counted) {
            sum += *outcome.errors;
            ++compiled;
        }
        evaluation.errors.push_back(outcome.errors);
    }
    if (compiled > 0) evaluation.mean_errors = static_cast<double>(sum) / static_cast<double>(compiled);
    return evaluation;
}

Json to_json(const LatexEvaluation& evaluation) {
    Json json = to_json(evaluation.preservation);
    int64_t compiled = 0;
    for (size_t i = 0; i < evaluation.errors.size(); ++i) {
        json["items"][i]["errors"] = value_or_null(evaluation.errors[i]);
        compiled += evaluation.errors[i] ? 1 : 0;
    }
    json["corpus"]["errors"] = value_or_null(evaluation.mean_errors);
    json["corpus"]["compiled"] = compiled;
    json["corpus"]["not_compiled"] = evaluation.not_compiled;
    return json;
}

}  // namespace craft
