// Names that TRL, axolotl and LLaMA-Factory have for what options here do, so that the error says what to write.
#pragma once

#include <string>
#include <vector>

#include "core/options.h"

namespace craft {

struct NameOfOthers {
    std::string name;               // with underscores: "learning_rate"
    std::vector<std::string> keys;  // of the options that it is here: those of them that a command has
    std::string value = "";         // what these are set to; empty: what the user has
    std::string note = "";
    std::string where = "";  // without keys: told by commands that have this option
};

const std::vector<NameOfOthers>& names_of_others();

// What a name with dashes or underscores is here, for this command: "is --lr here", and of a configuration's key "is
// train.lr here"; "" where nothing is known of it.
std::string name_of_others(const OptionTable& table, const std::string& name, bool is_flag);

}  // namespace craft
