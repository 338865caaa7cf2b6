#include "losses/losses.h"

#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>

#include <cmath>
#include <sstream>
#include <stdexcept>

#include "core/error.h"
#include "losses/choice_names.h"
#include "losses/pair_terms.h"

namespace craft {

namespace {

using Terms = PairTerms (*)(const LossOptions&, const PairLogprobs&);

struct LossEntry {
    std::string name;
    LossName loss;
    Terms terms;  // null for sft
    double beta, gamma;
};

// The registry: a new loss is a file and a line here.
const std::vector<LossEntry>& entries() {
    static const std::vector<LossEntry> all = {
        {"sft", LossName::sft, nullptr, 2.5, 1.375},
        {"simpo", LossName::simpo, simpo_terms, 2.5, 1.375},
        {"craft", LossName::craft, craft_terms, 2.5, 1.375},
        {"cpo", LossName::cpo, cpo_terms, 0.1, 0},
        {"cpo_simpo", LossName::cpo_simpo, cpo_simpo_terms, 2.5, 1.375},
        {"arpo", LossName::arpo, arpo_terms, 0.1, 0},
        {"arpo_simpo", LossName::arpo_simpo, arpo_simpo_terms, 0.1, 1.5},
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
    if (!problems.empty()) throw std::invalid_argument(problems.front());
    const at::Tensor& first = logprobs.chosen_sum;
    for (const at::Tensor* each : {&first, &logprobs.chosen_count, &logprobs.rejected_sum, &logprobs.rejected_count}) {
        if (!each->defined() || each->dim() != 1 || each->size(0) != first.size(0))
            throw std::invalid_argument("preference loss: log-probability sums and counts must all be [n]");
    }
    if (first.size(0) == 0) throw std::invalid_argument("preference loss: no pairs");
    if (at::minimum(logprobs.chosen_count.min(), logprobs.rejected_count.min()).item<double>() < 1)
        throw std::invalid_argument("preference loss: a response without tokens");
}

// One transfer from the device for all of them.
std::map<std::string, double> summed_metrics(const PairLogprobs& logprobs, const PairTerms& terms) {
    const at::NoGradGuard no_grad;
    const at::Tensor sums =
        at::stack({chosen_average(logprobs).sum(), rejected_average(logprobs).sum(), terms.margins.sum(),
                   terms.margins.gt(0).sum().to(terms.margins.scalar_type()), -logprobs.chosen_sum.sum()})
            .to(at::kCPU, at::kDouble)
            .contiguous();
    const double* values = sums.const_data_ptr<double>();
    std::map<std::string, double> metrics = {
        {"chosen_logp", values[0]}, {"rejected_logp", values[1]}, {"margin", values[2]}, {"accuracy", values[3]}};
    if (terms.nll_weight) metrics["nll"] = values[4];
    return metrics;
}

template <class T>
std::string name_in(const std::vector<std::pair<std::string, T>>& names, T value) {
    for (const auto& [name, known] : names)
        if (known == value) return name;
    throw std::logic_error("a value without a name");
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

const std::vector<std::pair<std::string, CpoForm>>& cpo_form_names() {
    static const std::vector<std::pair<std::string, CpoForm>> names = {
        {"sigmoid", CpoForm::sigmoid}, {"hinge", CpoForm::hinge}, {"ipo", CpoForm::ipo}};
    return names;
}

const std::vector<std::pair<std::string, NllNormalisation>>& nll_normalisation_names() {
    static const std::vector<std::pair<std::string, NllNormalisation>> names = {{"mean", NllNormalisation::mean},
                                                                                {"sum", NllNormalisation::sum}};
    return names;
}

std::string cpo_form_name(CpoForm form) {
    return name_in(cpo_form_names(), form);
}

std::string nll_normalisation_name(NllNormalisation normalisation) {
    return name_in(nll_normalisation_names(), normalisation);
}

std::string loss_name(LossName name) {
    return entry(name).name;
}

LossName loss_from_name(const std::string& name) {
    std::vector<std::string> known;
    for (const auto& each : entries()) {
        if (each.name == name) return each.loss;
        known.push_back(each.name);
    }
    throw_unknown("loss", name, known);
}

bool needs_pairs(LossName name) {
    return entry(name).terms != nullptr;
}

bool is_length_normalised(const LossOptions& options) {
    switch (options.name) {
        case LossName::simpo:
        case LossName::craft:
        case LossName::cpo_simpo:
        case LossName::arpo_simpo:
            return true;
        case LossName::cpo:
            return options.form == CpoForm::ipo;
        case LossName::sft:
        case LossName::arpo:
            return false;
    }
    throw std::logic_error("a loss without an entry");
}

LossOptions default_loss_options(LossName name) {
    LossOptions options;
    options.name = name;
    options.beta = entry(name).beta;
    options.gamma = entry(name).gamma;
    return options;
}

std::vector<std::string> loss_problems(const LossOptions& options) {
    std::vector<std::string> problems;
    const auto need = [&](bool fine, const std::string& name, const std::string& expected, double got) {
        if (fine) return;
        std::ostringstream problem;
        problem << "loss." << name << ": expected " << expected << ", got " << got;
        problems.push_back(problem.str());
    };
    need(options.beta > 0 && std::isfinite(options.beta), "beta", "a number above 0", options.beta);
    need(options.label_smoothing >= 0 && options.label_smoothing < 0.5, "label_smoothing", "a number in [0, 0.5)",
         options.label_smoothing);
    need(std::isfinite(options.gamma), "gamma", "a finite number", options.gamma);
    need(std::isfinite(options.alpha), "alpha", "a finite number", options.alpha);
    need(std::isfinite(options.eta1), "eta1", "a finite number", options.eta1);
    need(std::isfinite(options.eta2), "eta2", "a finite number", options.eta2);
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
    const Terms compute = entry(options.name).terms;
    if (compute == nullptr) throw std::invalid_argument("preference loss: sft has no pairs");
    check(options, logprobs);
    const PairTerms terms = compute(options, logprobs);
    return {.preference_sum = terms.losses.sum(),
            .nll_sum = terms.nll_weight ? *terms.nll_weight * -logprobs.chosen_sum.sum()
                                        : at::zeros({}, logprobs.chosen_sum.options()),
            .metrics = summed_metrics(logprobs, terms)};
}

}  // namespace craft
