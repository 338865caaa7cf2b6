// What `sft` and `align` share: their options, and one training from files to an adapter.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "align/work_estimate.h"
#include "cli/common.h"
#include "cli/placement.h"
#include "train/estimate.h"
#include "train/examples.h"
#include "train/options.h"
#include "train/trainer.h"

namespace craft {

// Coefficients whose default is the loss's own, as the user gives them; none: that default.
struct LossCoefficients {
    std::optional<double> beta, gamma, alpha;

    std::optional<double>* find(const std::string& name);  // null: another coefficient, or none
    void apply_to(LossOptions& loss) const;
};
// As `prefix`.beta and so on ("loss", "rounds"), which need the loss `loss_key` to be one that has them.
void bind_coefficients(OptionTable& table, LossCoefficients& coefficients, const std::string& prefix,
                       const std::string& loss_key);
// The loss as `name_key`, and all of its coefficients as `prefix`.beta and so on.
void bind_loss(OptionTable& table, LossOptions& loss, LossCoefficients& coefficients, const std::string& name_key,
               const std::string& prefix);

struct TrainingOptions {
    std::filesystem::path model, adapter;        // adapter empty: a new one, or --full
    Quantization quantize = Quantization::none;  // of the base's weights
    std::string eval_data;                       // empty: none
    TrainOptions train;
    ExampleOptions examples;
    int64_t count = 0;   // of all examples this many are drawn and trained on; 0: all
    int64_t tokens = 0;  // of these as many as first have this many tokens, prompts included; 0: all
    int64_t join = 1;    // conversations that begin alike are computed as one example of at most this many
    JsonLinesOptions lines;
    LossCoefficients coefficients;
    ChatOptions chat;
    bool estimate = false;  // tell what the training would take, and do nothing
};

// `prefix`.part_norms_every, of trainings whose loss may have two parts.
void bind_part_norms(OptionTable& table, TrainOptions& options, const std::string& prefix);
// How one training goes: batch size, learning rate, schedule ... under `prefix`. ("train", "sft", "rounds.train")
void bind_train(OptionTable& table, TrainOptions& options, const std::string& prefix);
// The caller sets the defaults of its command first.
void bind_training(OptionTable& table, TrainingOptions& options);
// Adds what cannot be trained with (train_problems), called as the options are: those of bind_train() under `prefix`, those
// of the loss under `loss_prefix`.
void add_train_problems(OptionTable& table, const TrainOptions& options, const std::string& prefix,
                        const std::string& loss_prefix);
// Fills in the loss's defaults and adds what cannot be trained with as problems: for parse_command's check.
void check_training(OptionTable& table, TrainingOptions& options);

// The loss with its values as used, for manifests.
Json to_json(const LossOptions& loss);
// {"quantize","weight_bytes"}: how a base's weights are held, for manifests.
Json to_json(const Decoder& base);
// The decoder with its adapter (--adapter, or a new one) or all its weights made trainable.
Decoder open_trainable(const TrainingOptions& options, const Placement& place);
// OUT/adapter, or with --full the folder OUT/model with the tokenizer's files and the chat template that was trained with.
void save_trained(const Decoder& decoder, const TrainingOptions& options, const std::filesystem::path& out);

enum class DataForm { sequences, pairs };

// "data.plans", of a training on trajectories. A plan's sentences are copied from the text: a fifth to a half of a
// response's tokens, which teach little about the request.
void bind_plans(OptionTable& table, ExampleOptions& examples);
// The examples of a file (or store) for this model, as they are trained on; says how many were read and dropped.
Examples read_training_data(const std::string& path, DataForm form, const TrainingOptions& options,
                            const DecoderConfig& config);

constexpr size_t kSharedStart = 64;  // tokens; sequences that begin with fewer of them alike are not joined

// Leaves this many of the examples, drawn by the seed, in their order, or the first of these that have `tokens` tokens
// together; those left out are counted as "not drawn". 0, or as many as there are: all stay.
void draw_examples(Examples& examples, int64_t count, int64_t tokens, uint64_t seed);

// rates.operations, rates.new_tokens, of whatever makes an estimate of more than one training.
void bind_rates(OptionTable& table, WorkRates& rates);
// The training of these options on examples that are there in number and length alone (align/work_estimate.h).
TrainedWork estimated(TrainedWork training, const TrainingOptions& options);

// One training on the file (or store) `data`. Of pairs, a loss that compares nothing (sft) sees the chosen responses. The
// adapter or model names the planner's prompt if the data are a planner's conversations.
int run_training(const Command& command, const OptionTable& table, CommonOptions common, TrainingOptions options,
                 const std::string& data, DataForm form);

// --estimate: prints what that training would take in memory and time; by a launcher's variables, of each of its ranks.
int run_estimate(CommonOptions common, TrainingOptions options, const std::string& data, DataForm form);
// A training that `ranks` processes on this machine, or one on its GPU, would not fit is told, not refused: to know is what
// was asked for.
void warn_beyond_memory(const TrainingOptions& options, const ProbedModel& model, const Estimate& estimate, int64_t ranks);

}  // namespace craft
