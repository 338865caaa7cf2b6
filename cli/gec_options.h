// The options that `gec` and `gec traces` share.
#pragma once

#include "cli/system_options.h"
#include "gec/run/corrector.h"

namespace craft {

// All but `method`, which `gec` alone has, and `teaching`, which `gec traces` has.
void bind_gec(OptionTable& table, GecOptions& options);
void check_gec(OptionTable& table, GecOptions& options);

}  // namespace craft
