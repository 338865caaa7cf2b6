// Options of the self-training rounds, shared by `align --iter` and `quickstart`.
#pragma once

#include "align/align.h"
#include "core/options.h"

namespace craft {

// All but the number of rounds and the test set.
void bind_rounds(OptionTable& table, AlignOptions& options);
// What rounds learn from: pairs, or groups by a policy gradient. To be called when all other options of the rounds are
// there.
void bind_method(OptionTable& table, AlignOptions& options);
// data.test.
void bind_test_set(OptionTable& table, AlignOptions& options);
// Adds what no round can be made with.
void add_round_problems(OptionTable& table, const AlignOptions& options);
// `key` names the domains; the mix is "rounds.mix".
void add_domain_problems(OptionTable& table, const char* key, const GeneratorOptions& options);
// How the planner is asked; `prompt` should start as "auto".
Option& bind_prompt(OptionTable& table, std::string& prompt);
// sampling.constrain_calls, of whoever plans; a flag of commands that ask a planner as it is.
Option& bind_constrained(OptionTable& table, SamplingOptions& sampling);
void bind_environment(OptionTable& table, EnvironmentOptions& options);

}  // namespace craft
