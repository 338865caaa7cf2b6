// What the control groups (cgroups) that this process is in let it have: a container's or a job's share of the machine.
#pragma once

#include <cstdint>
#include <filesystem>

namespace craft {

// The tightest of the process's own group and those around it.
struct ControlGroup {
    int64_t memory_bytes = 0;       // 0: no limit
    int64_t free_memory_bytes = 0;  // of that; what caches of files hold counts as free, since the system takes it back
    double processors = 0;          // processors' time that it may use; 0: no limit
};

// Of either version of the interface, also side by side. What cannot be read sets no limit.
ControlGroup this_control_group(const std::filesystem::path& groups_of_process = "/proc/self/cgroup",
                                const std::filesystem::path& mounted = "/sys/fs/cgroup");

}  // namespace craft
