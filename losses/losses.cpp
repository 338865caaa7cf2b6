#include "losses/losses.h"

#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>

#include <algorithm>
#include <cmath>
#include <sstream>
#include <stdexcept>
#include <type_traits>

#include "core/error.h"
#include "losses/choice_names.h"
#include "losses/pair_terms.h"

namespace craft {

// The registry: a new loss is a file with its terms, which are declared here, and a row below.
PairTerms craft_terms(const LossOptions& options, const PairLogprobs& logprobs);
PairTerms cpo_terms(const LossOptions& options, const PairLogprobs& logprobs);
PairTerms cpo_simpo_terms(const LossOptions& options, const PairLogprobs& logprobs);
PairTerms arpo_terms(const LossOptions& options, const PairLogprobs& logprobs);
PairTerms arpo_simpo_terms(const LossOptions& options, const PairLogprobs& logprobs);
PairTerms dpo_terms(const LossOptions& options, const PairLogprobs& logprobs);

namespace {

struct LossEntry {
    std::string name;
    LossName loss;
    PairTerms (*terms)(const LossOptions&, const PairLogprobs&);  // null for sft
    bool is_length_normalised;
    double beta, gamma, alpha;              // defaults
    std::vector<std::string> coefficients;  // that it takes
};

const std::vector<LossEntry>& entries() {
    using enum LossName;
    static const std::vector<LossEntry> all = {
        {"sft", sft, nullptr, false, 2.5, 1.375, 1, {}},
        {"simpo", simpo, simpo_terms, true, 2.5, 1.375, 1, {"beta", "gamma", "label_smoothing"}},
        {"craft",
         LossName::craft,
         craft_terms,
         true,
         2.5,
         1.375,
         1,
         {"beta", "gamma", "label_smoothing", "nll_normalisation"}},
        {"cpo", cpo, cpo_terms, false, 0.1, 0, 1, {"beta", "alpha", "label_smoothing", "form"}},
        {"cpo_simpo", cpo_simpo, cpo_simpo_terms, true, 2.5, 1.375, 1, {"beta", "gamma", "alpha", "label_smoothing"}},
        {"arpo", arpo, arpo_terms, false, 0.1, 0, 1, {"beta", "alpha", "label_smoothing", "eta1", "eta2", "detach_tau"}},
        {"arpo_simpo",
         arpo_simpo,
         arpo_simpo_terms,
         true,
         0.1,
         1.5,
         1,
         {"beta", "gamma", "alpha", "label_smoothing", "eta1", "eta2", "detach_tau"}},
        {"dpo", dpo, dpo_terms, false, 0.1, 0, 0, {"beta", "alpha", "label_smoothing", "reference"}},
    };
    return all;
}

const LossEntry& entry(LossName name) {
    for (const auto& each : entries())
        if (each.loss == name) return each;
    throw std::logic_error("a loss without an entry");
}

void check(const LossOptions& options, const PairLogprobs& logprobs) {
    const auto problems = loss_problems(options);
    if (!problems.empty()) throw std::invalid_argument("loss." + problems.front().line());
    const at::Tensor& first = logprobs.chosen_sum;
    std::vector<const at::Tensor*> all = {&first, &logprobs.chosen_count, &logprobs.rejected_sum, &logprobs.rejected_count};
    if (needs_reference(options.name)) all.insert(all.end(), {&logprobs.chosen_reference, &logprobs.rejected_reference});
    for (const at::Tensor* each : all) {
        if (!each->defined() || each->dim() != 1 || each->size(0) != first.size(0))
            throw std::invalid_argument("preference loss: log-probability sums and counts must all be [n]");
    }
    if (first.size(0) == 0) throw std::invalid_argument("preference loss: no pairs");
    if (at::minimum(logprobs.chosen_count.min(), logprobs.rejected_count.min()).item<double>() < 1)
        throw std::invalid_argument("preference loss: a response without tokens");
}

// One transfer from the device for all of them.
PairMetrics summed_metrics(const PairLogprobs& logprobs, const PairTerms& terms) {
    const at::NoGradGuard no_grad;
    const at::Tensor sums =
        at::stack({chosen_average(logprobs).sum(), rejected_average(logprobs).sum(), terms.margins.sum(),
                   terms.margins.gt(0).sum().to(terms.margins.scalar_type()), -logprobs.chosen_sum.sum()})
            .to(at::kCPU, at::kDouble)
            .contiguous();
    const double* values = sums.const_data_ptr<double>();
    return {.chosen_logp = values[0],
            .rejected_logp = values[1],
            .margin = values[2],
            .accuracy = values[3],
            .nll = terms.nll_weight ? std::optional(values[4]) : std::nullopt};
}

bool has_coefficient(const LossOptions& options, const std::string& coefficient) {
    const auto& own = entry(options.name).coefficients;
    return std::find(own.begin(), own.end(), coefficient) != own.end();
}

// sigmoid for losses without forms.
CpoForm form_of(const LossOptions& options) {
    return has_coefficient(options, "form") ? options.form : CpoForm::sigmoid;
}

}  // namespace

const std::vector<std::pair<std::string, LossName>>& loss_names() {
    static const std::vector<std::pair<std::string, LossName>> names = [] {
        std::vector<std::pair<std::string, LossName>> list;
        for (const auto& each : entries()) list.emplace_back(each.name, each.loss);
        return list;
    }();
    return names;
}

template <>
const std::vector<std::pair<std::string, CpoForm>>& choice_names<CpoForm>() {
    static const std::vector<std::pair<std::string, CpoForm>> names = {
        {"sigmoid", CpoForm::sigmoid}, {"hinge", CpoForm::hinge}, {"ipo", CpoForm::ipo}};
    return names;
}

template <>
const std::vector<std::pair<std::string, NllNormalisation>>& choice_names<NllNormalisation>() {
    static const std::vector<std::pair<std::string, NllNormalisation>> names = {{"mean", NllNormalisation::mean},
                                                                                {"sum", NllNormalisation::sum}};
    return names;
}

template <>
const std::vector<std::pair<std::string, Reference>>& choice_names<Reference>() {
    static const std::vector<std::pair<std::string, Reference>> names = {{"start", Reference::start},
                                                                         {"base", Reference::base}};
    return names;
}

std::string loss_name(LossName name) {
    return entry(name).name;
}

bool needs_pairs(LossName name) {
    return entry(name).terms != nullptr;
}

bool needs_reference(LossName name) {
    return takes_coefficient({.name = name}, "reference");
}

bool has_likelihood_part(const LossOptions& options) {
    return has_coefficient(options, "alpha") ? options.alpha != 0 : has_coefficient(options, "nll_normalisation");
}

bool is_length_normalised(const LossOptions& options) {
    return entry(options.name).is_length_normalised || form_of(options) == CpoForm::ipo;
}

bool takes_coefficient(const LossOptions& options, const std::string& coefficient) {
    if (!has_coefficient(options, coefficient)) return false;
    // The other forms have no log sigmoid whose labels could be smoothed.
    return coefficient != "label_smoothing" || form_of(options) == CpoForm::sigmoid;
}

LossOptions default_loss_options(LossName name) {
    LossOptions options;
    options.name = name;
    options.beta = entry(name).beta;
    options.gamma = entry(name).gamma;
    options.alpha = entry(name).alpha;
    return options;
}

std::vector<FieldProblem> loss_problems(const LossOptions& options) {
    std::vector<FieldProblem> problems;
    const auto need = [&](bool fine, const std::string& name, const std::string& expected, double got) {
        if (fine) return;
        std::ostringstream problem;
        problem << "expected " << expected << ", got " << got;
        problems.push_back({name, problem.str()});
    };
    for_each_coefficient(options, [&](const std::string& name, const auto& value, const char*) {
        if constexpr (std::is_same_v<decltype(value), const double&>) {
            if (name == "beta")
                need(value > 0 && std::isfinite(value), name, "a number above 0", value);
            else if (name == "label_smoothing")
                need(value >= 0 && value < 0.5, name, "a number in [0, 0.5)", value);
            else
                need(std::isfinite(value), name, "a finite number", value);
        }
    });
    return problems;
}

at::Tensor chosen_average(const PairLogprobs& logprobs) {
    return logprobs.chosen_sum / logprobs.chosen_count;
}

at::Tensor rejected_average(const PairLogprobs& logprobs) {
    return logprobs.rejected_sum / logprobs.rejected_count;
}

at::Tensor log_sigmoid_loss(const at::Tensor& x, double label_smoothing) {
    const at::Tensor loss = -at::log_sigmoid(x);
    if (label_smoothing == 0) return loss;
    return (1 - label_smoothing) * loss - label_smoothing * at::log_sigmoid(-x);
}

LossTerms preference_loss(const LossOptions& options, const PairLogprobs& logprobs) {
    if (!needs_pairs(options.name)) throw std::invalid_argument("preference loss: sft has no pairs");
    check(options, logprobs);
    const PairTerms terms = entry(options.name).terms(options, logprobs);
    return {.preference_sum = terms.losses.sum(),
            .nll_sum = terms.nll_weight ? *terms.nll_weight * -logprobs.chosen_sum.sum()
                                        : at::zeros({}, logprobs.chosen_sum.options()),
            .metrics = summed_metrics(logprobs, terms),
            .margins = terms.margins.detach()};
}

}  // namespace craft
