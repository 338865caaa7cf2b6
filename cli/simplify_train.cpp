// `simplify train`: preference training on a policy's pairs, with the settings of policy simplification §4.3.
#include "cli/command.h"
#include "cli/inquiry.h"
#include "cli/option_groups.h"
#include "cli/ranks.h"
#include "cli/training.h"

namespace craft {

namespace {

int run_simplify_train(int argc, const char* const* argv);

const Command kSimplifyTrainCommand = {"simplify train",
                                       CommandGroup::train,
                                       "train a simplifier on pairs of better and worse simplifications",
                                       "craft-train simplify train --model weights/smollm2-135m-instruct.gguf --pairs "
                                       "share/examples/simplify_pairs.jsonl --out runs/simplify",
                                       run_simplify_train,
                                       Work::training};

int run_simplify_train(int argc, const char* const* argv) {
    constexpr double kLrOfPairs = 1e-4, kLrOfSft = 2e-4;
    CommonOptions common;
    TrainingOptions options;
    std::string pairs;
    options.train.loss = default_loss_options(LossName::arpo_simpo);
    options.train.lr = kLrOfPairs;
    options.train.lora.rank = 16;
    options.train.lora.alpha = 32;
    options.train.batch_size = 128;
    options.train.epochs = 1;
    OptionTable table;
    const auto group = table.group(kDataGroup);
    table
        .add("pairs", pairs,
             "preference pairs, JSON Lines: {\"prompt\",\"chosen\",\"rejected\"}; with --loss sft the chosen sides are "
             "trained on")
        .flag("--pairs")
        .input()
        .required();
    bind_training(table, options);
    bind_ranks(table, common);
    bind_run(table, common, "estimate");
    const auto check = [&](OptionTable& t) {
        if (options.train.loss.name == LossName::sft && !t.at("train.lr").is_given) options.train.lr = kLrOfSft;
        check_training(t, options);
        if (Inquiry* inquiry = Inquiry::estimating())
            inquiry->tell({.trained = {estimated(pair_training(inquiry->size_of(pairs)), options)}});
    };
    if (!parse_command(kSimplifyTrainCommand, table, common, argc, argv, check)) return 0;
    return run_training(kSimplifyTrainCommand, table, common, options, pairs, DataForm::pairs);
}

}  // namespace

Command simplify_train_command() {
    return kSimplifyTrainCommand;
}

}  // namespace craft
