// `sft`: supervised fine-tuning on trajectories, conversations or completions.
#include "cli/command.h"
#include "cli/inquiry.h"
#include "cli/option_groups.h"
#include "cli/ranks.h"
#include "cli/training.h"

namespace craft {

namespace {

int run_sft(int argc, const char* const* argv);

const Command kSftCommand = {
    "sft",
    CommandGroup::train,
    "fine-tune on trajectories, conversations or completions",
    "craft-train sft --model weights/smollm2-135m-instruct.gguf --data runs/trajectories --out runs/sft",
    run_sft,
    Work::training};

int run_sft(int argc, const char* const* argv) {
    CommonOptions common;
    TrainingOptions options;
    std::string data;
    options.train.loss = default_loss_options(LossName::sft);
    options.train.lr = 2e-4;
    OptionTable table;
    const auto group = table.group(kDataGroup);
    table
        .add("data.path", data,
             "a trajectory store, or JSON Lines: trajectories, {\"messages\"} or {\"prompt\",\"completion\"}")
        .flag("--data")
        .input()
        .required();
    table.add("data.keep_wrong_calls", options.examples.keep_wrong_calls,
              "also train on trajectories with wrong or missing tool calls");
    bind_plans(table, options.examples);
    bind_training(table, options);
    bind_ranks(table, common);
    table
        .add("data.join", options.join,
             "maximum sequences with the same first 64 tokens (such as one system message) joined into one example, whose "
             "shared prefix is computed once")
        .min(1)
        .max(1000);
    bind_run(table, common, "estimate");
    const auto check = [&](OptionTable& t) {
        check_training(t, options);
        if (options.train.loss.name != LossName::sft)
            t.add_problem("--loss: sft trains with sft; the others need pairs: craft-train align --pairs");
        if (Inquiry* inquiry = Inquiry::estimating())
            inquiry->tell({.trained = {estimated(sequence_training(inquiry->size_of(data)), options)}});
    };
    if (!parse_command(kSftCommand, table, common, argc, argv, check)) return 0;
    return run_training(kSftCommand, table, common, options, data, DataForm::sequences);
}

}  // namespace

Command sft_command() {
    return kSftCommand;
}

}  // namespace craft
