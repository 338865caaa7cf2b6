// `sft --estimate`, `align --pairs --estimate`: what a training would take, before it loads a model.
#include <ATen/Parallel.h>

#include <algorithm>
#include <cstdlib>

#include "cli/training.h"
#include "core/error.h"
#include "core/files.h"
#include "core/machine.h"
#include "model/decoder/loading_memory.h"
#include "train/estimate.h"

namespace craft {

namespace {

// QLoRA's folders hold their weights in 4 bits already.
Quantization quantization_of(const TrainingOptions& options, const DecoderConfig& config) {
    const bool stored = config.source.is_object() && config.source.contains("quantization_config") &&
                        !config.source["quantization_config"].is_null();
    return stored ? Quantization::nf4 : options.quantize;
}

// The ranks of this machine, by torchrun's count of them; without it all are taken to be here.
int64_t ranks_here(int ranks) {
    const char* const here = std::getenv("LOCAL_WORLD_SIZE");
    return std::max<int64_t>(1, here != nullptr ? std::atoll(here) : ranks);
}

// The share of the cores that a rank takes.
int64_t threads_of_rank(int ranks) {
    return std::max<int64_t>(1, this_machine().cores / ranks_here(ranks));
}

}  // namespace

void bind_rates(OptionTable& table, WorkRates& rates) {
    const auto group = table.group("Estimates");
    const size_t before = table.options().size();
    table
        .add("rates.operations", rates.operations,
             "operations a second of training and reading prompts, for hours; 0: training is measured on random weights")
        .min(0);
    table.add("rates.new_tokens", rates.new_tokens, "new tokens a second of all requests together, for hours; 0: not stated")
        .min(0);
    for (Option& option : table.added_since(before)) option.needs("estimate").not_identity();
}

void warn_beyond_memory(const TrainingOptions& options, const ProbedModel& model, const Estimate& estimate, int64_t ranks) {
    const auto memory = known_loading_memory(options.model, model.dtype, model.device, model.quantize);
    if (!memory) return;
    MemoryNeed need = memory_need(*memory, model.dtype, model.quantize);
    need.besides = std::max<int64_t>(0, estimate.peak_memory - need.weights);
    need.purpose = "what training takes beyond the weights";
    need.hint = options.train.full ? "an adapter instead of all weights, or a smaller model"
                                   : "--quantize, --recompute-layers, --micro-batch-tokens, or a smaller model";
    need.weights *= ranks;
    need.besides *= ranks;
    if (ranks > 1) need.form += " in " + std::to_string(ranks) + " ranks";
    try {
        refuse_beyond_memory(options.model.string(), need, model.device);
    } catch (const Error& error) {
        log_warning(error.what());
    }
}

int run_estimate(CommonOptions common, TrainingOptions options, const std::string& data, DataForm form) {
    options.train.seed = common.seed;
    const auto launch = launch_here();
    if (launch && launch->rank != 0) return 0;  // rank 0 speaks for all
    if (launch && common.threads == 0) common.threads = threads_of_rank(launch->size);
    const Placement place = open_placement(common);
    const DecoderConfig config = read_decoder_config(options.model);
    Examples examples = read_training_data(data, form, options, config);
    draw_examples(examples, options.count, options.tokens, common.seed);
    examples.trees = join_equal_starts(std::move(examples.trees), kSharedStart, static_cast<size_t>(options.join));
    if (examples.trees.empty()) throw Error(data, "at least one example", "none");
    ProbedModel model{config, options.adapter, place.dtype, place.device, quantization_of(options, config)};
    EstimateOptions how;
    if (launch) how.ranks = launch->size;
    log_info("measuring on random weights",
             {{"threads", at::get_num_threads()}, {"ranks", how.ranks}, {"device", place.device.str()}});
    const Estimate estimate = estimate_training(options.model, model, examples.trees, options.train, how);
    // A GPU is each rank's own.
    warn_beyond_memory(options, model, estimate, launch && model.device.is_cpu() ? ranks_here(launch->size) : 1);
    Json told = to_json(estimate);
    told["place"] = to_json(place);
    told["threads"] = at::get_num_threads();
    told["ranks"] = how.ranks;
    write_stdout(told.dump(2) + "\n");
    return 0;
}

}  // namespace craft
