#include "judge/fidelity/latex_eval.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

#include "text/latex.h"

namespace craft {

namespace {

constexpr int64_t kLeastKeywords = 2;  // CRAFT App. D.8

// Items of `preservation` are those of `pairs`, in their order.
std::vector<LatexOutcome> compile_all(const std::vector<TextPair>& pairs, const LatexOptions& options, int64_t threads) {
    std::vector<LatexOutcome> outcomes(pairs.size());
    std::atomic<size_t> next = 0;
    std::mutex mutex;
    std::exception_ptr problem;
    const auto work = [&] {
        try {
            for (size_t i = next++; i < pairs.size(); i = next++) outcomes[i] = compile_latex(pairs[i].revision, options);
        } catch (...) {
            next = pairs.size();  // the others end after what they compile now
            const std::lock_guard lock(mutex);
            if (!problem) problem = std::current_exception();
        }
    };
    std::vector<std::thread> others;
    for (int64_t i = 1; i < std::min(threads, static_cast<int64_t>(pairs.size())); ++i) others.emplace_back(work);
    work();
    for (std::thread& thread : others) thread.join();
    if (problem) std::rethrow_exception(problem);
    return outcomes;
}

}  // namespace

LatexEvaluation evaluate_latex(const TextPairs& texts, const LatexOptions& options, int64_t threads) {
    LatexEvaluation evaluation;
    evaluation.preservation = evaluate_preservation(
        texts, [](const std::string& text) { return latex_keywords(text); }, kLeastKeywords);
    evaluation.compiles = is_latex_installed(options.program);
    std::vector<LatexOutcome> outcomes(texts.pairs.size());
    if (evaluation.compiles) outcomes = compile_all(texts.pairs, options, threads);
    int64_t sum = 0;
    for (size_t i = 0; i < outcomes.size(); ++i) {
        const LatexOutcome& outcome = outcomes[i];
        if (!outcome.problem.empty()) ++evaluation.not_compiled[outcome.problem];
        if (outcome.errors && evaluation.preservation.items[i].is_counted) {
            sum += *outcome.errors;
            ++evaluation.with_errors;
        }
        evaluation.errors.push_back(outcome.errors);
    }
    if (evaluation.with_errors > 0)
        evaluation.mean_errors = static_cast<double>(sum) / static_cast<double>(evaluation.with_errors);
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
    json["corpus"]["errors_of"] = evaluation.with_errors;
    json["corpus"]["compiled"] = compiled;
    json["corpus"]["not_compiled"] = evaluation.not_compiled;
    return json;
}

}  // namespace craft
