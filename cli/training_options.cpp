#include <map>
#include <set>

#include "cli/chat_options.h"
#include "cli/training.h"
#include "core/log.h"
#include "losses/choice_names.h"
#include "model/decoder/lora_targets.h"
#include "train/options.h"

namespace craft {

namespace {

void bind_loss(OptionTable& table, TrainingOptions& options) {
    LossOptions& loss = options.train.loss;
    table.add_enum("loss.name", loss.name, loss_names(), "training loss").flag("--loss");
    table.add("loss.beta", options.coefficients.beta, "strength of the preference; none: the loss's own, 2.5 or 0.1")
        .flag("--beta");
    table.add("loss.gamma", options.coefficients.gamma, "target margin, subtracted after beta; none: the loss's own")
        .flag("--gamma");
    table.add("loss.alpha", options.coefficients.alpha, "weight of the chosen responses' likelihood; none: 1")
        .flag("--alpha");
    table.add("loss.label_smoothing", loss.label_smoothing, "share of labels taken as wrong, below 0.5; 0: none").min(0);
    table.add_enum("loss.form", loss.form, cpo_form_names(), "form of cpo");
    table.add("loss.eta1", loss.eta1, "factor in the tau of arpo and arpo_simpo");
    table.add("loss.eta2", loss.eta2, "exponent in the tau of arpo and arpo_simpo");
    table.add("loss.detach_tau", loss.detach_tau, "no gradient through tau");
    table.add_enum("loss.nll_normalisation", loss.nll_normalisation, nll_normalisation_names(),
                   "likelihood part of craft: mean over tokens, or sum over each response");
}

void bind_steps(OptionTable& table, TrainOptions& train) {
    bind_train(table, train, "train");
    const std::map<std::string, std::string> flags = {{"train.lr", "--lr"},
                                                      {"train.epochs", "--epochs"},
                                                      {"train.batch_size", "--batch-size"},
                                                      {"train.micro_batch_tokens", "--micro-batch-tokens"}};
    for (const auto& [key, flag] : flags) table.find(key)->flag(flag);
    table
        .add("train.recompute_layers", train.recompute_layers,
             "first layers whose activations are made again in backward, for memory; -1: all; changes no result")
        .flag("--recompute-layers")
        .min(-1)
        .not_identity();
    table
        .add_enum("train.order", train.order, {{"sequential", Order::sequential}, {"shuffled", Order::shuffled}},
                  "of the examples in each epoch")
        .flag("--order");
    table.add("train.weight_decay", train.weight_decay, "of AdamW, on matrices only; 0: none").min(0);
    table.add("train.profile", train.profile, "write a Chrome trace of the second to the fourth step, trace.json")
        .flag("--profile")
        .not_identity();
    table.add("train.save_every", train.save_every, "steps between checkpoints; 0: after each epoch only")
        .min(0)
        .not_identity();
    table.add("train.keep", train.keep, "newest checkpoints to keep").min(1).not_identity();
    table.add("train.eval_every", train.eval_every, "steps between evaluations; 0: at the end only").min(0);
}

void bind_weights(OptionTable& table, TrainOptions& train) {
    table.add("lora.rank", train.lora.rank, "of a new adapter").flag("--lora-rank").min(1);
    table.add("lora.alpha", train.lora.alpha, "scale of a new adapter is alpha / rank").flag("--lora-alpha");
    table.add("lora.dropout", train.lora.dropout, "on a new adapter's input; 0: none")
        .flag("--lora-dropout")
        .min(0)
        .max(0.99);
    table.add("lora.targets", train.lora.targets, "projections of a new adapter, or all-linear")
        .flag("--lora-targets")
        .one_of(lora_target_names());
    table.add("train.full", train.full, "train every weight instead of an adapter").flag("--full");
}

// The options of single losses, given with another one.
void warn_of_idle_options(OptionTable& table, const LossOptions& loss) {
    using enum LossName;
    const bool arpo_like = loss.name == arpo || loss.name == arpo_simpo;
    const bool no_sigmoid = loss.name == sft || (loss.name == cpo && loss.form != CpoForm::sigmoid);
    const std::pair<const char*, bool> idle[] = {{"loss.form", loss.name != cpo},
                                                 {"loss.eta1", !arpo_like},
                                                 {"loss.eta2", !arpo_like},
                                                 {"loss.detach_tau", !arpo_like},
                                                 {"loss.nll_normalisation", loss.name != craft},
                                                 {"loss.label_smoothing", no_sigmoid}};
    for (const auto& [key, is_idle] : idle)
        if (const Option* option = table.find(key); is_idle && option->is_given)
            log_warning(option->shown_name() + " has no effect with loss " + loss_name(loss.name));
}

}  // namespace

void bind_train(OptionTable& table, TrainOptions& o, const std::string& prefix) {
    table.add(prefix + ".lr", o.lr, "peak learning rate").min(0);
    table.add_enum(prefix + ".schedule", o.schedule,
                   {{"constant", Schedule::constant}, {"linear", Schedule::linear}, {"cosine", Schedule::cosine}},
                   "learning rate after the warm-up");
    table.add(prefix + ".warmup", o.warmup, "steps, or a share below 1 of all steps; 0: none").min(0);
    table.add(prefix + ".epochs", o.epochs, "passes over the data").min(1).max(1e6);
    table.add(prefix + ".batch_size", o.batch_size, "pairs or sequences of an optimiser step").min(1);
    table
        .add(prefix + ".micro_batch_tokens", o.micro_batch_tokens,
             "tokens computed at a time, or the largest example's; changes no result; 0: what suits the device")
        .min(0)
        .not_identity();
    table.add(prefix + ".max_grad_norm", o.max_grad_norm, "gradients are clipped to this 2-norm; 0: no clipping").min(0);
    table.add(prefix + ".average", o.average, "decay of a running mean of the weights, which is scored and kept; 0: none")
        .min(0);
}

void bind_training(OptionTable& table, TrainingOptions& options) {
    table.add("model", options.model, "model folder").flag("--model").required();
    table.add("adapter", options.adapter, "adapter to go on training: rank, alpha and targets are its own")
        .flag("--adapter");
    bind_quantize(table, options.quantize);
    table
        .add("estimate", options.estimate,
             "print what the training would take in memory and time, measured on random weights, and end")
        .flag("--estimate")
        .not_identity();
    table.add("eval_data", options.eval_data, "data of the same form, evaluated beside training; empty: none")
        .flag("--eval-data");
    bind_loss(table, options);
    bind_steps(table, options.train);
    bind_weights(table, options.train);
    table.add("data.max_length", options.examples.max_length, "tokens of prompt and response; 0: the model's")
        .flag("--max-length")
        .min(0);
    table.add("data.max_prompt_length", options.examples.max_prompt_length, "tokens of the prompt; 0: no limit of its own")
        .flag("--max-prompt-length")
        .min(0);
    table
        .add_enum("data.truncate", options.examples.truncate, {{"none", Truncate::none}, {"left", Truncate::left}},
                  "what does not fit: dropped and counted, or its prompt cut on the left")
        .flag("--truncate");
    bind_chat(table, options.chat, "data.");
    bind_json_lines(table, options.lines);
    table
        .add("parallel.timeout", options.group.timeout,
             "seconds that a rank waits in a sum for others that live but do not come to it")
        .min(1)
        .max(1e6)
        .not_identity();
    table
        .add("parallel.join_timeout", options.group.join_timeout,
             "seconds in which all ranks must have started, and then reach each other")
        .min(1)
        .max(1e6)
        .not_identity();
}

void add_train_problems(OptionTable& table, const TrainOptions& options, const std::string& prefix) {
    for (const std::string& problem : train_problems(options)) {
        const size_t colon = std::min(problem.find(':'), problem.size());
        const Option* option = table.find(prefix + problem.substr(0, colon));
        for (const char* loss : {"loss.", "rounds."})  // the commands' names for the loss's values
            if (option == nullptr && problem.starts_with("loss."))
                option = table.find(loss + problem.substr(5, std::max<size_t>(colon, 5) - 5));
        if (option == nullptr)
            table.add_problem(problem);
        else if (option->check().empty())  // else it was reported when it was read
            table.add_problem(option->shown_name() + problem.substr(colon));
    }
}

void LossCoefficients::apply_to(LossOptions& loss) const {
    const LossOptions own = default_loss_options(loss.name);
    loss.beta = beta.value_or(own.beta);
    loss.gamma = gamma.value_or(own.gamma);
    loss.alpha = alpha.value_or(own.alpha);
    using enum LossName;
    const auto warn = [&](const char* key, const std::optional<double>& value, const std::set<LossName>& without) {
        if (value && without.contains(loss.name))
            log_warning(std::string(key) + " has no effect with loss " + loss_name(loss.name));
    };
    warn("beta", beta, {sft});
    warn("gamma", gamma, {sft, cpo, arpo});
    warn("alpha", alpha, {sft, simpo, craft});
}

void check_training(OptionTable& table, TrainingOptions& options) {
    options.coefficients.apply_to(options.train.loss);
    warn_of_idle_options(table, options.train.loss);
    if (Option* out = table.find("out"); options.estimate && out != nullptr) out->is_required = false;  // nothing is written
    add_train_problems(table, options.train, "train.");
    if (options.train.eval_every > 0 && options.eval_data.empty())
        table.add_problem(table.find("train.eval_every")->shown_name() + ": has no effect without --eval-data");
    if (options.train.full && options.quantize != Quantization::none)
        table.add_problem("--full and --quantize: weights in few bits cannot be trained; an adapter can");
    if (options.adapter.empty() && !options.train.full) return;
    const std::string other = options.train.full ? "--full" : "--adapter";
    for (const char* key : {"lora.rank", "lora.alpha", "lora.dropout", "lora.targets"})
        if (const Option* option = table.find(key); option->is_given)
            table.add_problem(option->shown_name() + ": has no effect with " + other);
    if (options.train.full && !options.adapter.empty()) table.add_problem("--full and --adapter: only one of them");
}

}  // namespace craft
