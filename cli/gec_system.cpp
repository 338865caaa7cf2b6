#include "cli/gec_system.h"

namespace craft {

GecSystem::GecSystem(const SystemSpec& spec, const GecRulesOptions& rules, const CommonOptions& common, AskingRun& asking) {
    if (spec.kind == SystemSpec::Kind::rules) rules_ = open_gec_rules(rules, common, asking.place());
    system_ = rules_ ? rules_.get() : &asking.open(spec, "agent");
}

}  // namespace craft
