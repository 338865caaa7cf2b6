// Options of the self-training rounds, shared by `align --iter` and `quickstart`.
#pragma once

#include <string>

#include "align/align.h"
#include "core/options.h"

namespace craft {

// All but the number of rounds and the test set.
void bind_rounds(OptionTable& table, AlignOptions& options);
// Where a command has the options of its rounds' training.
struct RoundTrainingKeys {
    std::string loss_name;  // "loss.name"
    std::string loss;       // of its coefficients: "loss"
    std::string train;      // "train"
};
// What rounds learn from: pairs, or groups by a policy gradient. To be called when all other options of the rounds and of
// their training are there.
void bind_method(OptionTable& table, AlignOptions& options, const RoundTrainingKeys& keys);
// Where they learn from groups, for conditions; its values are the methods.
OptionState learning_from_groups();
// data.test.
void bind_test_set(OptionTable& table, AlignOptions& options);
// Adds what no round can be made with. `loss` is that of RoundTrainingKeys.
void add_round_problems(OptionTable& table, const AlignOptions& options, const std::string& loss);
// `key` names the domains; the mix is "rounds.mix".
void add_domain_problems(OptionTable& table, const char* key, const GeneratorOptions& options);
// How the planner is asked; `prompt` should start as "auto".
Option& bind_prompt(OptionTable& table, std::string& prompt);
// sampling.constrain_calls, of whoever plans; a flag of commands that ask a planner as it is.
Option& bind_constrained(OptionTable& table, SamplingOptions& sampling);
void bind_environment(OptionTable& table, EnvironmentOptions& options);

}  // namespace craft
