#include "rollout/reviser.h"

#include "core/error.h"
#include "rollout/rules_reviser.h"

namespace craft {

std::unique_ptr<Reviser> open_reviser(const std::string& name, const ReviserResources& resources) {
    if (name != "rules") throw_unknown("reviser", name, {"rules"});
    return std::make_unique<RulesReviser>(resources.rules, resources.sentences);
}

}  // namespace craft
