// Which scorers S_r is the mean of, as options say it (judge/scorers/registry.h, docs/scorers.md).
#pragma once

#include <string>
#include <vector>

#include "core/options.h"

namespace craft {

// --scorers of commands that may do without S_r: `none`, `auto` or a list of scorers.
Option& bind_scorers(OptionTable& table, std::vector<std::string>& scorers, const std::string& of_auto);
// The same as reward.scorers, where an empty list means none.
Option& bind_reward_scorers(OptionTable& table, std::vector<std::string>& scorers);

// What `given` says: `auto` is perplexity where a model can measure it, else none. Adds a problem where perplexity is asked
// for and nothing measures it; `why` ends it: "since the rules are no model".
std::vector<std::string> resolved_scorers(OptionTable& table, const std::vector<std::string>& given, bool is_measurable,
                                          const std::string& why);
bool is_auto(const std::vector<std::string>& scorers);

}  // namespace craft
