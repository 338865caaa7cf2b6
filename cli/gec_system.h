// Who plays the grammar agent: the one place where its specification becomes a system.
#pragma once

#include <memory>

#include "cli/asking_run.h"
#include "cli/gec_rules.h"
#include "systems/open/open_system.h"

namespace craft {

// The system that a specification means: the built-in rules (cli/gec_rules.h), whose answers are not recorded, or a model.
class GecSystem {
public:
    // Throws Error and UsageError as AskingRun::open() and open_gec_rules() do. `asking` must outlive it.
    GecSystem(const SystemSpec& spec, const GecRulesOptions& rules, const CommonOptions& common, AskingRun& asking);
    System& get() const { return *system_; }

private:
    std::unique_ptr<System> rules_;
    System* system_ = nullptr;
};

}  // namespace craft
