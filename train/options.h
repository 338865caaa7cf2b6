// What a training run is told: by `sft`, `align --pairs` and each round of `align --iter`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "losses/losses.h"
#include "losses/policy.h"
#include "model/decoder/decoder.h"

namespace craft {

enum class Schedule { constant, linear, cosine };
enum class Order { sequential, shuffled };

struct TrainOptions {
    LossOptions loss;
    std::optional<PolicyOptions>
        policy;        // of examples that are groups of sampled responses: in place of sft, which `loss` is
    double lr = 1e-4;  // peak learning rate
    Schedule schedule = Schedule::cosine;
    double warmup = 0.1;  // steps, or below 1 a share of all steps; the last has the peak; 0: none
    int64_t epochs = 1;
    int64_t batch_size = 128;        // pairs, groups or sequences of an optimiser step; an epoch's last one may be smaller
    int64_t micro_batch_tokens = 0;  // tokens computed at a time; bounds memory, changes no result; 0: what suits the device
    int64_t recompute_layers = 0;    // first layers whose activations are made again in backward; -1: all; changes no result
    double max_grad_norm = 1;        // global 2-norm that gradients are clipped to; 0: no clipping
    double beta2 = 0.999;            // AdamW's decay of squared gradients: the share that a step keeps
    double weight_decay = 0;         // decoupled, of weights with two dimensions or more; 0: none
    double average = 0;              // decay of a running mean of the weights, which is scored and kept; 0: none
    int64_t save_every = 50;         // steps between checkpoints; 0: at the ends of epochs only
    int64_t keep = 2;                // newest checkpoints that stay (the best epoch's besides)
    int64_t eval_every = 0;          // steps between evaluations; 0: at the end only
    Order order = Order::shuffled;   // redrawn for every epoch
    // Stop after an epoch whose score gains less than this on the best before; none: never. While the best is below this
    // itself, nothing has been learned yet and the run continues.
    std::optional<double> min_epoch_gain;
    // Steps between those that tell the gradient norms of the loss's two parts, each for a second backward pass and memory
    // for the gradients once more; 0: none. Changes no result.
    int64_t part_norms_every = 0;
    bool profile = false;  // write a Chrome trace of a few steps
    bool full = false;     // train every weight instead of an adapter
    LoraOptions lora;      // of a new adapter
    uint64_t seed = 1;
};

// The fields that the resulting weights depend on, besides those of the loss.
inline auto result_fields(const TrainOptions& o) {
    return std::tie(o.lr, o.schedule, o.warmup, o.epochs, o.batch_size, o.max_grad_norm, o.beta2, o.weight_decay, o.average,
                    o.order, o.min_epoch_gain, o.seed);
}

// Each field that cannot be trained with, those of the loss included as "loss.beta".
std::vector<FieldProblem> train_problems(const TrainOptions& options);

// Makes the decoder trainable: every weight with `full`; else the adapter it has continues, or a new one is added (A drawn
// from the seed). Throws Error when the decoder holds a frozen adapter or `full` meets an adapter.
void make_trainable(Decoder& decoder, const TrainOptions& options);

// The loss and its coefficients, then result_fields(), and a policy's fields if there is one, as one line: what a checkpoint
// is only good for.
std::string result_options(const TrainOptions& options);

}  // namespace craft
