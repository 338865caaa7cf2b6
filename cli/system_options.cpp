#include "cli/system_options.h"

#include "cli/chat_options.h"
#include "systems/flowing_systems.h"

namespace craft {

void bind_role_systems(OptionTable& table, RoleSystemOptions& o) {
    bind_chat(table, o.chat);
}

System& RoleSystems::open(const SystemSpec& spec) {
    std::unique_ptr<System>& system = opened_[spec.text()];
    if (!system)
        system = std::make_unique<ComputedSystem>(flow_, open_system(spec, {.dtype = place_.dtype,
                                                                            .device = place_.device,
                                                                            .chat = options_.chat,
                                                                            .local = {.seed = common_.seed}}));
    return *system;
}

}  // namespace craft
