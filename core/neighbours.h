// How much of the machine other processes use.
#pragma once

#include <chrono>
#include <optional>
#include <set>
#include <string>

namespace craft {

// Watches the cores that this process may run on (Linux: /proc/stat).
class Neighbours {
public:
    Neighbours();
    // How many of these cores other processes of this or a higher priority kept busy since the last answer, on average: 0 to
    // cores(). None within a quarter of a second of the last answer, and where the system does not tell.
    std::optional<double> cores_in_use();
    int cores() const { return static_cast<int>(cpus_.size()); }

private:
    std::optional<double> others_seconds() const;

    std::set<int> cpus_;
    bool counts_nice_ = false;  // a process of low priority gives way to others of low priority, too
    std::chrono::steady_clock::time_point then_;
    std::optional<double> seconds_then_;
};

// Seconds that these processors have computed since the machine started, for processes of normal priority and the system,
// with `nice` also for those of low priority; `ticks` of a second is the unit of `proc_stat`, the text of /proc/stat. None
// if it has no line of one of them.
std::optional<double> busy_seconds(const std::string& proc_stat, const std::set<int>& cpus, bool nice, double ticks);

}  // namespace craft
