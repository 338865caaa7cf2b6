// What options the systems of a command's roles take.
#pragma once

#include <string>
#include <vector>

#include "cli/common.h"
#include "systems/open/asking_run.h"

namespace craft {

// `roles`: keys of the options that say who plays. Without `with_chat` the chat templates of local ones are their models'
// own.
void bind_role_systems(OptionTable& table, RoleSystemOptions& options, const std::vector<const char*>& roles,
                       bool with_chat = true);
// The limit of new tokens, which is final where it is given; `of` is whose: "of a response".
Option& bind_new_tokens(OptionTable& table, const std::string& key, std::optional<int64_t>& most, const std::string& of);
// Reads the option `key`, whose value is `text`; or adds what is wrong with it and returns false.
bool parse_role(OptionTable& table, const char* key, const std::string& text, SystemSpec& spec);
// Adds what is wrong with the systems of these specifications: a profile that is not there or not right. Their models become
// part of what makes two runs the same.
void check_role_systems(OptionTable& table, const RoleSystemOptions& options, const std::vector<SystemSpec>& specs);
// Adds a problem where this role's answers are to be constrained (--constrain-calls) and its server takes no grammar.
void check_constrained(OptionTable& table, const RoleSystemOptions& options, const SystemSpec& spec, bool constrain_calls);

}  // namespace craft
