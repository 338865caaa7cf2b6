#include <map>
#include <type_traits>

#include "cli/adapter_option.h"
#include "cli/chat_options.h"
#include "cli/option_groups.h"
#include "cli/training.h"
#include "losses/choice_names.h"
#include "model/spec/lora_targets.h"
#include "train/options.h"

namespace craft {

namespace {

// All weights move at once, and with the rate of an adapter they lose what they know: a tenth of it, as is usual.
constexpr double kFullRate = 2e-5;

// A coefficient that not every loss has. A number may stand idle in a configuration whose loss is changed; a reference that
// nothing is compared with is an error.
void needs_a_loss_with(Option& coefficient, const std::string& name, const std::string& loss_key) {
    std::vector<std::string> losses;
    for (const auto& [loss, value] : loss_names())
        if (takes_coefficient(default_loss_options(value), name)) losses.push_back(loss);
    if (losses.size() == loss_names().size()) return;
    coefficient.needs({loss_key, losses});
    if (name != "reference") coefficient.else_idle();
}

void bind_own_loss(OptionTable& table, TrainingOptions& options) {
    const auto group = table.group(kLossGroup);
    bind_loss(table, options.train.loss, options.coefficients, "loss.name", "loss");
    table.at("loss.name").flag("--loss");
    for (const char* name : {"beta", "gamma", "alpha"}) table.at(std::string("loss.") + name).flag(std::string("--") + name);
}

void bind_steps(OptionTable& table, TrainOptions& train) {
    const auto group = table.group(kOptimiserGroup);
    bind_train(table, train, "train");
    const std::map<std::string, std::string> flags = {{"train.lr", "--lr"},
                                                      {"train.epochs", "--epochs"},
                                                      {"train.batch_size", "--batch-size"},
                                                      {"train.micro_batch_tokens", "--micro-batch-tokens"}};
    for (const auto& [key, flag] : flags) table.at(key).flag(flag);
    table.at("train.lr").help += "; with --full 2e-5 unless one is given";
    table
        .add("train.recompute_layers", train.recompute_layers,
             "first layers whose activations are recomputed in the backward pass to save memory; -1: all; does not change "
             "results")
        .flag("--recompute-layers")
        .min(-1)
        .not_identity();
    table
        .add_enum("train.order", train.order, {{"sequential", Order::sequential}, {"shuffled", Order::shuffled}},
                  "order of the examples in each epoch")
        .flag("--order");
    table.add("train.weight_decay", train.weight_decay, "weight decay of AdamW, on matrices only; 0: none").min(0);
    table.add("train.profile", train.profile, "write a Chrome trace of the second to the fourth step, trace.json")
        .flag("--profile")
        .not_identity();
    table.add("train.save_every", train.save_every, "steps between checkpoints; 0: after each epoch only")
        .min(0)
        .not_identity();
    table.add("train.keep", train.keep, "newest checkpoints to keep").min(1).not_identity();
    bind_part_norms(table, train, "train");
    table.add("train.eval_every", train.eval_every, "steps between evaluations; 0: at the end only")
        .min(0)
        .needs("eval_data");
}

void bind_weights(OptionTable& table, TrainOptions& train) {
    const auto group = table.group(kLoraGroup);
    const size_t before = table.options().size();
    table.add("lora.rank", train.lora.rank, "rank of a new adapter").flag("--lora-rank").min(1);
    table.add("lora.alpha", train.lora.alpha, "scale of a new adapter is alpha / rank").flag("--lora-alpha");
    table.add("lora.dropout", train.lora.dropout, "dropout on a new adapter's input; 0: none")
        .flag("--lora-dropout")
        .min(0)
        .max(0.99);
    table.add("lora.targets", train.lora.targets, "projections of a new adapter, or all-linear")
        .flag("--lora-targets")
        .one_of(lora_target_names());
    table
        .add("lora.upper", train.lora.upper,
             "share of the layers, from the last down, that a new adapter covers; there is no backward pass below them")
        .flag("--lora-upper")
        .min(0)
        .max(1);
    for (Option& option : table.added_since(before)) option.excludes("train.full").excludes("adapter");
    table.add("train.full", train.full, "train every weight instead of an adapter")
        .flag("--full")
        .excludes("adapter")
        .excludes({"quantize", {"int8", "nf4", "blocks"}}, "weights in few bits cannot be trained; an adapter can");
}

void bind_training_data(OptionTable& table, TrainingOptions& options) {
    const auto group = table.group(kDataGroup);
    table
        .add("estimate", options.estimate,
             "print the memory and time that training would take, measured on random weights, and exit")
        .flag("--estimate")
        .rehearsal()
        .not_identity()
        .excludes({"quantize", {"blocks"}}, "weights are made up, which none, int8 and nf4 can be");
    table.add("eval_data", options.eval_data, "data of the same form, evaluated during training; empty: none")
        .flag("--eval-data")
        .input();
    table.add("data.max_length", options.examples.max_length, "maximum tokens of prompt and response; 0: the model's limit")
        .flag("--max-length")
        .min(0);
    table
        .add("data.max_prompt_length", options.examples.max_prompt_length,
             "maximum tokens of the prompt; 0: no separate limit")
        .flag("--max-prompt-length")
        .min(0);
    table.add("data.count", options.count, "train on this many examples, drawn by --seed; 0: all").min(0);
    table
        .add("data.tokens", options.tokens,
             "train on examples, drawn by --seed, up to this many tokens, prompts included; 0: all")
        .min(0);
    table
        .add_enum("data.truncate", options.examples.truncate, {{"none", Truncate::none}, {"left", Truncate::left}},
                  "examples that do not fit: drop and count them, or cut their prompts on the left")
        .flag("--truncate");
    table.add("data.keep_empty_turns", options.examples.keep_empty_turns,
              "also train on empty assistant turns; calls that the template omits leave a turn empty");
    bind_json_lines(table, options.lines);
}

}  // namespace

void bind_plans(OptionTable& table, ExampleOptions& examples) {
    table
        .add("data.plans", examples.plans,
             "share of trajectories whose plan SFT learns; of the others it learns only what precedes the plan")
        .min(0)
        .max(1);
}

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
             "tokens per micro-batch, or the largest example's; does not change results; 0: chosen for the device")
        .min(0)
        .not_identity();
    table
        .add(prefix + ".beta2", o.beta2,
             "AdamW's decay of squared gradients; below .999 large ones at the beginning are forgotten sooner")
        .min(0);
    table.add(prefix + ".max_grad_norm", o.max_grad_norm, "gradients are clipped to this 2-norm; 0: no clipping").min(0);
    table.add(prefix + ".average", o.average, "decay of the running mean of the weights, which is scored and saved; 0: none")
        .min(0);
}

void bind_part_norms(OptionTable& table, TrainOptions& options, const std::string& prefix) {
    table
        .add(prefix + ".part_norms_every", options.part_norms_every,
             "steps between those whose gradient norms of the preference and of the likelihood part are told, each for a "
             "second backward pass; 0: none; does not change results")
        .min(0)
        .not_identity();
}

void bind_training(OptionTable& table, TrainingOptions& options) {
    bind_own_model(table, options.model);
    bind_adapter(table, options.adapter, "its training continues, with its own rank, alpha and targets");
    bind_quantize(table, options.quantize);
    bind_chat(table, options.chat, "data.");
    bind_own_loss(table, options);
    bind_steps(table, options.train);
    bind_weights(table, options.train);
    bind_training_data(table, options);
}

void add_train_problems(OptionTable& table, const TrainOptions& options, const std::string& prefix,
                        const std::string& loss_prefix) {
    const std::string of_loss = "loss.";
    for (const FieldProblem& problem : train_problems(options)) {
        const bool is_loss = problem.field.starts_with(of_loss);
        const Option* option =
            table.find(is_loss ? loss_prefix + "." + problem.field.substr(of_loss.size()) : prefix + "." + problem.field);
        if (option == nullptr)
            table.add_problem(problem.line());
        else if (option->check().empty())  // else it was reported when it was read
            table.add_problem(option->shown_name() + ": " + problem.problem);
    }
}

std::optional<double>* LossCoefficients::find(const std::string& name) {
    return name == "beta" ? &beta : name == "gamma" ? &gamma : name == "alpha" ? &alpha : nullptr;
}

void bind_coefficients(OptionTable& table, LossCoefficients& coefficients, const std::string& prefix,
                       const std::string& loss_key) {
    const LossOptions any;
    for_each_coefficient(any, [&](const std::string& name, const auto&, const char* help) {
        if (std::optional<double>* value = coefficients.find(name))
            needs_a_loss_with(table.add(prefix + "." + name, *value, help), name, loss_key);
    });
}

void bind_loss(OptionTable& table, LossOptions& loss, LossCoefficients& coefficients, const std::string& name_key,
               const std::string& prefix) {
    table.add_enum(name_key, loss.name, loss_names(), "training loss");
    bind_coefficients(table, coefficients, prefix, name_key);
    for_each_coefficient(loss, [&](const std::string& name, auto& value, const char* help) {
        using Value = std::decay_t<decltype(value)>;
        const std::string key = prefix + "." + name;
        if (table.find(key) != nullptr) return;  // one of those above
        if constexpr (std::is_enum_v<Value>)
            table.add_enum(key, value, choice_names<Value>(), help);
        else
            table.add(key, value, help);
        needs_a_loss_with(table.options().back(), name, name_key);
    });
    table.at(prefix + ".label_smoothing").min(0);
    table.at(prefix + ".reference").flag("--reference");
}

void LossCoefficients::apply_to(LossOptions& loss) const {
    const LossOptions own = default_loss_options(loss.name);
    loss.beta = beta.value_or(own.beta);
    loss.gamma = gamma.value_or(own.gamma);
    loss.alpha = alpha.value_or(own.alpha);
}

void check_training(OptionTable& table, TrainingOptions& options) {
    options.coefficients.apply_to(options.train.loss);
    if (options.train.full && table.at("train.lr").source == "default") options.train.lr = kFullRate;
    add_train_problems(table, options.train, "train", "loss");
}

}  // namespace craft
