#include "train/step_metrics.h"

#include "core/process_memory.h"

namespace craft {

namespace {

void add_figures(Json& row, const BatchFigures& figures) {
    const auto add = [&](const char* key, const std::optional<double>& value) {
        if (value) row[key] = *value;
    };
    row["loss"] = figures.loss;
    add("sft_loss", figures.sft_loss);
    add("preference_loss", figures.preference_loss);
    add("chosen_logp", figures.chosen_logp);
    add("rejected_logp", figures.rejected_logp);
    add("margin", figures.margin);
    add("accuracy", figures.accuracy);
    add("reward_agreement", figures.agreement.share());
    add("reward_correlation", figures.agreement.correlation());
    add("entropy", figures.entropy);
    add("token_accuracy", figures.token_accuracy);
    add("reward", figures.reward);
    add("reward_std", figures.reward_std);
    add("clipped", figures.clipped);
    add("kl", figures.kl);
}

}  // namespace

Json to_json(const StepMetrics& metrics) {
    Json row = {{"step", metrics.step}};
    if (metrics.total_steps > 0) row["of_steps"] = metrics.total_steps;
    add_figures(row, metrics.figures);
    if (metrics.grad_norm) row["grad_norm"] = *metrics.grad_norm;
    if (metrics.preference_grad_norm) row["preference_grad_norm"] = *metrics.preference_grad_norm;
    if (metrics.likelihood_grad_norm) row["likelihood_grad_norm"] = *metrics.likelihood_grad_norm;
    if (metrics.lr) row["lr"] = *metrics.lr;
    row["tokens"] = metrics.figures.tokens;
    row["sequence_tokens"] = metrics.figures.sequence_tokens;
    row["seconds"] = metrics.seconds;
    if (metrics.seconds > 0) row["tokens_per_second"] = static_cast<double>(metrics.figures.tokens) / metrics.seconds;
    if (metrics.mfu) row["mfu"] = *metrics.mfu;
    row["peak_memory_bytes"] = peak_resident_bytes();
    return row;
}

}  // namespace craft
