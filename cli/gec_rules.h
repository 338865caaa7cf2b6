// The built-in model of the grammar agent, opened: rules, the English that they read, and the decoder that weighs what they
// propose.
#pragma once

#include <filesystem>
#include <memory>

#include "cli/placement.h"
#include "core/options.h"
#include "systems/system.h"

namespace craft {

struct GecRulesOptions {
    std::filesystem::path model;  // a decoder; empty: the small one that scripts/setup.sh gets
};

// --rules-model.
void bind_gec_rules(OptionTable& table, GecRulesOptions& options);
// The decoder's file or folder.
std::filesystem::path gec_rules_model(const GecRulesOptions& options);
// Without --dtype the decoder is in bfloat16 where the processor multiplies it. Throws Error as the decoder, the pipeline
// and the dictionary do, which name what scripts/setup.sh gets.
std::unique_ptr<System> open_gec_rules(const GecRulesOptions& options, const CommonOptions& common, const Placement& place);

}  // namespace craft
