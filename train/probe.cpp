#include "train/probe.h"

#include <torch/types.h>

#include <algorithm>
#include <chrono>
#include <numeric>

#include "core/error.h"
#include "core/signals.h"
#include "model/decoder/random_decoder.h"
#include "model/spec/adapter_config.h"
#include "train/batch_loss.h"
#include "train/memory_meter.h"
#include "train/optimizer.h"

namespace craft {

namespace {

double now() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

DecoderConfig config_at(const ProbePoint& point, DecoderConfig config) {
    config.layers = point.layers();
    config.vocab_size = point.vocabulary;
    if (!config.windows.empty()) config.windows.resize(static_cast<size_t>(config.layers));
    return config;
}

// Of a few layers that stand for all, evenly, those that get an adapter: one at least.
std::vector<int64_t> layers_among(const std::vector<int64_t>& chosen, int64_t few, int64_t all) {
    std::vector<int64_t> among;
    for (int64_t layer = 0; layer < few; ++layer)
        if (std::ranges::find(chosen, (2 * layer + 1) * all / (2 * few)) != chosen.end()) among.push_back(layer);
    if (among.empty() && !chosen.empty()) among.push_back(few - 1);
    return among;
}

// The options of an adapter on disk, for a new one on fewer layers.
LoraOptions options_of(const std::filesystem::path& adapter, int64_t few, int64_t all) {
    LoraOptions lora = read_adapter_config(adapter);
    const bool chooses = !lora.target_expression.empty() || !lora.excluded_expression.empty() || !lora.ranks.empty() ||
                         !lora.alphas.empty() || !lora.saved_modules.empty();
    if (chooses)
        throw Error((adapter / "adapter_config.json").string(),
                    "the same adapter on each layer that has one, to be estimated on a few of them",
                    "one that chooses ranks or modules by pattern, or replaces some",
                    "a smaller --micro-batch-tokens may let all layers be measured");
    lora.layers = layers_among(lora.layers, few, all);
    return lora;
}

Decoder decoder_at(const ProbedModel& model, const ProbePoint& point, TrainOptions options) {
    Decoder decoder = random_decoder(config_at(point, model.config), model.dtype, model.device, model.quantize);
    options.recompute_layers = point.recomputed_layers;
    if (!model.adapter.empty()) {
        if (point.layers() == model.config.layers && point.vocabulary == model.config.vocab_size)
            decoder.load_adapter(model.adapter, /*trainable=*/true);
        else
            options.lora = options_of(model.adapter, point.layers(), model.config.layers);
    }
    make_trainable(decoder, options);
    return decoder;
}

class Prober {
public:
    Prober(const ProbedModel& model, const ProbePoint& point, const std::vector<TokenTree>& data,
           const TrainOptions& options, const ProbeWork& work)
        : data_(data),
          options_(options),
          work_(work),
          vocabulary_(point.vocabulary),
          decoder_(decoder_at(model, point, options)),
          optimizer_(decoder_.trainable(),
                     {.beta2 = options.beta2, .weight_decay = options.weight_decay, .average = options.average}),
          memory_(model.device) {}

    ProbeFigures figures() {
        ProbeFigures figures;
        figures.batch_seconds.resize(work_.samples.size());
        memory_.forget_peak();
        compute(work_.samples.front().batch);  // what is slow or taken once: threads, pages, the optimiser's states
        update();
        for (int64_t round = 0; round < work_.rounds; ++round)
            for (size_t i = 0; i < work_.samples.size(); ++i) {
                if (!work_.accumulates) optimizer_.drop_gradients();
                figures.batch_seconds[i] += compute(work_.samples[i].batch) / static_cast<double>(work_.rounds);
            }
        // Last, when memory is as scattered as it gets.
        if (!work_.accumulates) optimizer_.drop_gradients();
        compute(work_.largest);
        figures.batch_peak = static_cast<double>(memory_.peak());
        memory_.give_back();  // what the update needs, not what backward left behind
        memory_.forget_peak();
        figures.update_seconds = update();
        figures.update_peak = static_cast<double>(memory_.peak());
        return figures;
    }

private:
    TokenTree example(size_t number) const {
        TokenTree tree = data_[number];
        for (int64_t& token : tree.prefix) token %= vocabulary_;
        for (MaskedTokens& branch : tree.branches)
            for (int64_t& token : branch.tokens) token %= vocabulary_;
        return tree;
    }

    // Seconds of a micro-batch, its gradients collected.
    double compute(const PlannedMicroBatch& batch) {
        throw_if_stopped();
        std::vector<TokenTree> trees;
        std::vector<const TokenTree*> examples;
        for (const size_t number : batch.examples) trees.push_back(example(number));
        for (const TokenTree& tree : trees) examples.push_back(&tree);
        const double start = now();
        BatchRun run;
        run.micro_batch_tokens = batch.tokens;
        run.dropout_seed = 1;
        if (needs_reference(options_.loss.name)) run.references.resize(examples.size());
        run_batch(decoder_, examples, options_.loss, run);
        optimizer_.collect_gradients();
        return now() - start;
    }

    double update() {
        const double start = now();
        optimizer_.clip(options_.max_grad_norm);
        optimizer_.step(1e-6);
        decoder_.trainable().front().second.sum().item<double>();  // waits for the device
        return now() - start;
    }

    const std::vector<TokenTree>& data_;
    const TrainOptions& options_;
    const ProbeWork& work_;
    int64_t vocabulary_;
    Decoder decoder_;
    AdamW optimizer_;
    MemoryMeter memory_;
};

}  // namespace

ProbeFigures probe(const ProbedModel& model, const ProbePoint& point, const std::vector<TokenTree>& data,
                   const TrainOptions& options, const ProbeWork& work) {
    const ProbeFigures figures = Prober(model, point, data, options, work).figures();
    MemoryMeter(model.device).give_back();
    return figures;
}

}  // namespace craft
