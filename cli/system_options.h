// The systems of a command's roles: what options they take, and opening them.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "cli/common.h"
#include "cli/placement.h"
#include "core/flow.h"
#include "systems/open/open_system.h"

namespace craft {

struct RoleSystemOptions {
    ChatOptions chat;
};

void bind_role_systems(OptionTable& table, RoleSystemOptions& options);

// The systems that a command's roles are played by, each opened once, whatever roles it plays, for the items of a flow.
class RoleSystems {
public:
    // The flow must outlive the systems.
    RoleSystems(const RoleSystemOptions& options, const CommonOptions& common, const Placement& place, Flow& flow)
        : options_(options), common_(common), place_(place), flow_(flow) {}
    // Throws Error and UsageError as open_system() does.
    System& open(const SystemSpec& spec);

private:
    const RoleSystemOptions& options_;
    const CommonOptions& common_;
    const Placement& place_;
    Flow& flow_;
    std::map<std::string, std::unique_ptr<System>> opened_;  // by specification
};

}  // namespace craft
