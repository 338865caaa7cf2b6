#include "train/options.h"

#include <algorithm>
#include <cmath>
#include <type_traits>

#include "core/error.h"
#include "core/json.h"
#include "core/rng.h"

namespace craft {

std::vector<FieldProblem> train_problems(const TrainOptions& options) {
    std::vector<FieldProblem> problems;
    for (const auto& [coefficient, problem] : loss_problems(options.loss))
        problems.push_back({"loss." + coefficient, problem});
    const auto need = [&](bool fine, const char* field, const char* problem) {
        if (!fine) problems.push_back({field, problem});
    };
    need(options.lr >= 0 && std::isfinite(options.lr), "lr", "expected a number of at least 0");
    need(options.warmup >= 0 && (options.warmup < 1 || options.warmup == std::floor(options.warmup)), "warmup",
         "expected a share below 1 or a whole number of steps");
    need(options.epochs >= 1, "epochs", "expected at least 1");
    need(options.batch_size >= 1, "batch_size", "expected at least 1");
    need(options.micro_batch_tokens >= 0, "micro_batch_tokens", "expected at least 0 (0: chosen for the device)");
    need(options.recompute_layers >= -1, "recompute_layers", "expected at least -1 (-1: all, 0: none)");
    need(options.max_grad_norm >= 0, "max_grad_norm", "expected at least 0 (0 turns clipping off)");
    need(options.beta2 >= 0 && options.beta2 < 1, "beta2", "expected at least 0 and below 1");
    need(options.weight_decay >= 0, "weight_decay", "expected at least 0");
    need(options.average >= 0 && options.average < 1, "average", "expected a decay of at least 0 and below 1 (0: none)");
    need(options.save_every >= 0, "save_every", "expected at least 0");
    need(options.keep >= 1, "keep", "expected at least 1");
    need(!options.policy || options.loss.name == LossName::sft, "policy", "expected with the loss sft");
    need(!options.policy || options.policy->mean != TokenMean::dr_grpo || options.policy->max_length > 0, "policy",
         "expected the most tokens of a response, which dr_grpo divides by");
    need(options.eval_every >= 0, "eval_every", "expected at least 0");
    need(options.part_norms_every >= 0, "part_norms_every", "expected at least 0 (0: none)");
    need(options.part_norms_every == 0 || has_likelihood_part(options.loss), "part_norms_every",
         "expected a loss of two parts: a preference and the likelihood of the chosen responses");
    return problems;
}

void make_trainable(Decoder& decoder, const TrainOptions& options) {
    const DecoderConfig& config = decoder.config();
    const int64_t all = config.encoder_layers + config.layers;  // an encoder's come first
    decoder.set_recomputed_layers(options.recompute_layers < 0 ? all : options.recompute_layers);
    if (options.full) {
        if (decoder.adapter())
            throw Error("training all weights", "a model without an adapter", "one with an adapter",
                        "merge it first: craft-train export --merge");
        decoder.train_all_weights();
    } else if (!decoder.adapter()) {
        Rng rng(options.seed, "train: new adapter");
        decoder.add_adapter(options.lora, rng);
    } else if (decoder.trainable().empty()) {
        throw Error("training an adapter", "one loaded as trainable", "a frozen one");
    }
}

namespace {

Json plain(const std::optional<double>& value) {
    return value ? Json(*value) : Json();
}

template <class T>
Json plain(const T& value) {
    if constexpr (std::is_enum_v<T>)
        return static_cast<int>(value);
    else
        return value;
}

}  // namespace

std::string result_options(const TrainOptions& options) {
    Json values = Json::array({loss_name(options.loss.name)});
    for_each_coefficient(options.loss, [&](const char*, const auto& value, const char*) { values.push_back(plain(value)); });
    std::apply([&](const auto&... fields) { (values.push_back(plain(fields)), ...); }, result_fields(options));
    if (options.policy)
        std::apply([&](const auto&... fields) { (values.push_back(plain(fields)), ...); }, policy_fields(*options.policy));
    return dump_line(values);
}

}  // namespace craft
