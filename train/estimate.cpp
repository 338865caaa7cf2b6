#include "train/estimate.h"

#include <torch/types.h>

#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "model/decoder/loading_memory.h"
#include "model/decoder/random_decoder.h"
#include "model/weights/device_memory.h"
#include "train/memory_meter.h"
#include "train/operations.h"
#include "train/token_logprobs.h"
#include "train/training_memory.h"

namespace craft {

namespace {

constexpr size_t kSamples = 5;
constexpr double kTakenOnce = 128e6;     // bytes: the head's, and what one layer's backward takes
constexpr double kUsualShare = 1.0 / 3;  // of the rate of a square product that training reaches

// How many layers go by until windows come again.
int64_t window_period(const DecoderConfig& config) {
    for (int64_t period = 1; period < config.layers; ++period) {
        bool comes_again = true;
        for (int64_t layer = period; layer < config.layers; ++layer)
            comes_again = comes_again && config.window(layer) == config.window(layer - period);
        if (comes_again) return period;
    }
    return config.layers;
}

ProbePoint point_of(const DecoderConfig& config, const TrainOptions& options) {
    const int64_t asked = options.recompute_layers < 0 ? config.layers : options.recompute_layers;
    const int64_t recomputed = std::min(asked, config.layers);
    return {config.layers - recomputed, recomputed, config.vocab_size};
}

double bytes_of_elements(const ProbedModel& model, double elements, bool full) {
    const double element = static_cast<double>(c10::elementSize(model.dtype));
    const double state = full ? 12 + (model.dtype == at::kFloat ? 0 : 4) : 0;  // gradient, moments, master
    return elements * (element + state);
}

// About what layers and vocabulary take, for what may be tried: not what is told.
struct RoughSizes {
    double weight_bytes = 0;  // of a layer, with what it is trained with
    double layer_bytes = 0;   // and with its activations
    double token_bytes = 0;   // of a row of embedding and head

    RoughSizes(const ProbedModel& model, const TrainOptions& options, int64_t tokens) {
        const DecoderConfig& c = model.config;
        const auto hidden = static_cast<double>(c.hidden_size), inner = static_cast<double>(c.intermediate_size);
        const auto heads = static_cast<double>(c.heads * c.head_dim), kv = static_cast<double>(c.kv_heads * c.head_dim);
        const double weights = hidden * (2 * heads + 2 * kv) + (c.gated ? 3 : 2) * hidden * inner;
        const double row = 6 * hidden + 3 * heads + 3 * kv + 4 * inner;  // activations of a token
        weight_bytes = bytes_of_elements(model, weights, options.full);
        layer_bytes = weight_bytes + row * static_cast<double>(tokens) * static_cast<double>(c10::elementSize(model.dtype));
        token_bytes = bytes_of_elements(model, hidden * (c.tied_embeddings ? 1 : 2), options.full);
    }
};

class Estimator {
public:
    Estimator(const std::filesystem::path& folder, const ProbedModel& model, const std::vector<TokenTree>& data,
              const TrainOptions& options, const EstimateOptions& how)
        : model_(model),
          data_(data),
          options_(options),
          how_(how),
          plan_(plan_work(model.config, data, options, model.device, how.ranks)) {
        const MemoryMeter memory(model.device);
        const LoadingMemory loading = loading_memory(folder, model.config, model.dtype, model.device, model.quantize);
        estimate_.loading_peak = memory.now() + loading.peak;
        weight_bytes_ = loading.kept;
        estimate_.model = point_of(model.config, options);
        estimate_.steps = plan_.epoch_steps * options.epochs;
        estimate_.epoch_steps = plan_.epoch_steps;
        estimate_.epoch_tokens = plan_.epoch_tokens;
        estimate_.largest_micro_batch = plan_.largest.tokens;
        // Sums of several ranks' gradients lie beside the gradients from the beginning.
        work_ = {sample_work(plan_, kSamples), plan_.largest, plan_.accumulates || how.ranks > 1, 1};
        for (const WorkSample& sample : work_.samples) estimate_.weights.push_back(sample.weight);
    }

    Estimate run() {
        const std::vector<ProbePoint> all = points();
        // What a process takes once is there before several probes are compared.
        const WorkSample& usual = work_.samples.front();
        if (all.size() > 1) probe(model_, all[0], data_, options_, {{usual}, usual.batch, false, 0});
        for (const ProbePoint& point : all)
            estimate_.probed.push_back({point, probe(model_, point, data_, options_, work_)});
        const ProbeFigures figures = extrapolated(estimate_.probed, estimate_.model, least_growth());
        estimate_.batch_peak = std::llround(figures.batch_peak) - divided_state();
        estimate_.update_peak = std::llround(figures.update_peak) - divided_state();
        estimate_.peak_memory = std::max({estimate_.loading_peak, estimate_.batch_peak, estimate_.update_peak});
        const double epoch_seconds = estimate_.epoch_seconds(figures);
        estimate_.seconds_per_step = epoch_seconds / static_cast<double>(plan_.epoch_steps);
        estimate_.logprob_seconds = epoch_seconds * logprob_share();
        return std::move(estimate_);
    }

private:
    std::vector<ProbePoint> points() {
        double operations = work_.samples.front().batch.operations + plan_.largest.operations;
        double samples = 0;
        for (const WorkSample& sample : work_.samples) samples += sample.batch.operations;
        const double rate = product_rate(model_.device, model_.dtype) * kUsualShare;
        const double seconds = (operations + samples * (options_.recompute_layers != 0 ? 1.5 : 1)) / rate;
        work_.rounds = std::clamp<int64_t>(std::llround(how_.seconds / 3 / std::max(1e-3, samples / rate)), 1, 5);
        const auto layers = static_cast<double>(model_.config.layers);

        const RoughSizes sizes(model_, options_, plan_.largest.tokens);
        const int64_t free = free_memory(model_.device);
        const double memory = free > 0 ? static_cast<double>(free) * how_.memory : INFINITY;
        const auto vocabulary = static_cast<double>(model_.config.vocab_size);
        const double max_tokens = std::min(vocabulary, memory / 2 / sizes.token_bytes);
        const double by_memory = (memory - max_tokens * sizes.token_bytes) / sizes.layer_bytes;
        const int64_t period = window_period(model_.config);
        if (by_memory < static_cast<double>(std::min<int64_t>(2 * period, model_.config.layers)) ||
            max_tokens < std::min(256.0, vocabulary))
            throw Error("--estimate", "memory to try a few layers of the model", std::to_string(free >> 20) + " MiB free",
                        "lower --micro-batch-tokens, or use a larger machine");
        const double max_layers = std::min({layers, by_memory, layers * how_.seconds / seconds});
        ProbeLimits limits{static_cast<int64_t>(max_layers), static_cast<int64_t>(max_tokens)};
        const auto layers_of = [&](double bytes) {
            return std::max<int64_t>(1, std::llround(std::min(std::ceil(bytes / sizes.layer_bytes), by_memory / 3)));
        };
        limits.first_layers = layers_of(kTakenOnce);
        limits.least_step = layers_of(2 * kTakenOnce);
        return probe_points(estimate_.model, period, limits);
    }

    // In few bits a weight takes less than RoughSizes has; an adapter adds to it.
    MinGrowth least_growth() const {
        const RoughSizes sizes(model_, options_, plan_.largest.tokens);
        const double weights = model_.quantize == Quantization::none ? sizes.weight_bytes : 0;
        const double input = static_cast<double>(plan_.largest.tokens * model_.config.hidden_size) *
                             static_cast<double>(c10::elementSize(model_.dtype));
        // Below the first adapter nothing is kept for backward, but that is one layer at most.
        return {weights + input, weights + input};
    }

    // Of an epoch's operations, what log-probabilities before it take.
    double logprob_share() const {
        const int64_t passes = logprobs_first(options_, data_.size()).passes();
        if (passes == 0) return 0;
        const int64_t forward_layers = options_.full ? 0 : forward_layers_of(options_.lora, model_.config.layers);
        double forward = 0, trained = 0;
        for (const TokenTree& tree : data_) {
            forward += forward_operations(model_.config, tree);
            trained += training_operations(model_.config, tree, options_.full, forward_layers);
        }
        return static_cast<double>(passes) * forward / trained;
    }

    // ZeRO-1: bytes of masters and moments that lie with other ranks.
    int64_t divided_state() const {
        if (!options_.full || how_.ranks == 1) return 0;
        const int64_t weights = weight_bytes_ / static_cast<int64_t>(c10::elementSize(model_.dtype));
        const auto state = static_cast<double>(optimizer_bytes(weights, model_.dtype, options_));
        return std::llround(state * (1 - 1.0 / how_.ranks));
    }

    const ProbedModel& model_;
    const std::vector<TokenTree>& data_;
    const TrainOptions& options_;
    const EstimateOptions& how_;
    WorkPlan plan_;
    int64_t weight_bytes_ = 0;
    ProbeWork work_;
    Estimate estimate_;
};

Json to_json(const ProbedPoint& probed, const Estimate& estimate) {
    return {{"layers", probed.point.layers()},
            {"recomputed_layers", probed.point.recomputed_layers},
            {"vocabulary", probed.point.vocabulary},
            {"memory_bytes", std::llround(std::max(probed.figures.batch_peak, probed.figures.update_peak))},
            {"seconds_per_step", estimate.epoch_seconds(probed.figures) / static_cast<double>(estimate.epoch_steps)}};
}

}  // namespace

double Estimate::epoch_seconds(const ProbeFigures& figures) const {
    double seconds = figures.update_seconds * static_cast<double>(epoch_steps);
    for (size_t i = 0; i < weights.size(); ++i) seconds += weights[i] * figures.batch_seconds[i];
    return seconds;
}

Estimate estimate_training(const std::filesystem::path& folder, const ProbedModel& model, const std::vector<TokenTree>& data,
                           const TrainOptions& options, const EstimateOptions& how) {
    return Estimator(folder, model, data, options, how).run();
}

Json to_json(const Estimate& e) {
    Json probed = Json::array();
    for (const ProbedPoint& one : e.probed) probed.push_back(to_json(one, e));
    const bool whole = e.probed.size() == 1;
    Json json = {
        {"peak_memory_bytes", e.peak_memory},
        {"seconds_per_step", e.seconds_per_step},
        {"steps", e.steps},
        {"seconds", e.seconds_per_step * static_cast<double>(e.steps) + e.logprob_seconds},
        {"tokens_per_step", static_cast<double>(e.epoch_tokens) / static_cast<double>(e.epoch_steps)},
        {"largest_micro_batch_tokens", e.largest_micro_batch},
        {"memory_bytes", {{"while_loading", e.loading_peak}, {"in_backward", e.batch_peak}, {"in_update", e.update_peak}}},
        {"measured", probed},
        {"extrapolated", whole ? Json()
                               : Json{{"layers", e.model.layers()},
                                      {"recomputed_layers", e.model.recomputed_layers},
                                      {"vocabulary", e.model.vocabulary}}}};
    if (e.logprob_seconds > 0) json["logprob_seconds"] = e.logprob_seconds;
    return json;
}

}  // namespace craft
