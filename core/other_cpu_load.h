// How much of the machine other processes use.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <set>
#include <string>

namespace craft {

// Watches the cores that this process may run on (Linux: /proc/stat).
class OtherCpuLoad {
public:
    OtherCpuLoad();
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

// The cores to use, of `most`, where other programs keep `in_use` of `cores` cores busy; at least one.
int free_cores(double in_use, int cores, int most);

// How many threads take the next piece of work of a command whose threads do not wait for each other.
class WorkerThreads {
public:
    // `asked` 0: as many as there are cores that other programs leave, which is looked at a few times a second.
    explicit WorkerThreads(int64_t asked);
    int64_t now();

private:
    std::optional<OtherCpuLoad> other_load_;  // none: the number was asked for
    int64_t threads_;
};

// Seconds that these processors have computed since the machine started, for processes of normal priority and the system,
// with `nice` also for those of low priority; `ticks` of a second is the unit of `proc_stat`, the text of /proc/stat. None
// if it has no line of one of them.
std::optional<double> busy_seconds(const std::string& proc_stat, const std::set<int>& cpus, bool nice, double ticks);

}  // namespace craft
