// --adapter, which all commands take in the same form.
#pragma once

#include <filesystem>
#include <string>

#include "core/options.h"

namespace craft {

// An adapter folder, or the folder of a run that trained one, for which the target then holds its adapter/. `note` is added
// to the help and may be empty.
Option& bind_adapter(OptionTable& table, std::filesystem::path& adapter, const std::string& note = "");

}  // namespace craft
