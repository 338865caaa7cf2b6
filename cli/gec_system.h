// Who plays the grammar agent: the one place where its specification becomes a system.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "cli/asking_run.h"
#include "cli/gec_rules.h"
#include "gec/rules/edit_planners.h"
#include "systems/open/open_system.h"

namespace craft {

// The system that a specification means: the built-in rules (cli/gec_rules.h), whose answers are not recorded, or a model.
class GecSystem {
public:
    // Throws Error and UsageError as AskingRun::open() and open_gec_rules() do. `asking` must outlive it.
    GecSystem(const SystemSpec& spec, const GecRulesOptions& rules, const CommonOptions& common, AskingRun& asking);
    // Who knows the corrections {source: target} of its sentences, and plays the agent as a teacher
    // (gec/rules/edit_planners.h). Throws Error as the pipeline and the dictionary do.
    GecSystem(const std::map<std::string, std::string>& gold, const GoldTeaching& teaching);
    System& get() const { return *system_; }

private:
    std::unique_ptr<System> rules_;  // or the teacher
    System* system_ = nullptr;
};

}  // namespace craft
