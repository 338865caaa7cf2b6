// The options that `simplify candidates` and `simplify run` share.
#pragma once

#include "cli/command.h"
#include "cli/common.h"
#include "simplify/run/simplified_texts.h"

namespace craft {

// All but `systems`, `min_words` and `feedback`, which are the commands' own. `roles`: as of bind_role_systems().
void bind_simplify(OptionTable& table, SimplifyOptions& options, const std::vector<const char*>& roles);
// Reads `options.systems`, which the option `key` gave, and adds problems; feedback has been checked.
void check_simplify(OptionTable& table, SimplifyOptions& options, const char* key);

// Simplifies all texts (simplify/run/simplified_texts.h). What a command returns.
int run_simplifying(const Command& command, OptionTable& table, const CommonOptions& common, const SimplifyOptions& options,
                    const SimplifiedRows& rows);

}  // namespace craft
