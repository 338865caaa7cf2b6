#include "core/other_cpu_load.h"

#include <sched.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <sstream>

namespace craft {

namespace {

constexpr auto kWindow = std::chrono::milliseconds(250);  // some 50 ticks of two cores

std::set<int> own_cpus() {
    cpu_set_t set;
    CPU_ZERO(&set);
    std::set<int> cpus;
    if (::sched_getaffinity(0, sizeof set, &set) != 0) return cpus;
    for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu)
        if (CPU_ISSET(cpu, &set)) cpus.insert(cpu);
    return cpus;
}

double own_seconds() {
    rusage usage{};
    ::getrusage(RUSAGE_SELF, &usage);
    const auto seconds = [](const timeval& time) {
        return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
    };
    return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

}  // namespace

std::optional<double> busy_seconds(const std::string& proc_stat, const std::set<int>& cpus, bool nice, double ticks) {
    std::istringstream lines(proc_stat);
    std::string line;
    size_t found = 0;
    double sum = 0;
    while (std::getline(lines, line)) {
        std::istringstream words(line);
        std::string name;
        double user = 0, low = 0, system = 0;
        if (!(words >> name >> user >> low >> system) || !name.starts_with("cpu") || name.size() == 3) continue;
        if (name.find_first_not_of("0123456789", 3) != std::string::npos || name.size() > 8) continue;
        if (!cpus.contains(std::stoi(name.substr(3)))) continue;
        ++found;
        sum += user + system + (nice ? low : 0);
    }
    if (found != cpus.size() || found == 0) return std::nullopt;
    return sum / ticks;
}

OtherCpuLoad::OtherCpuLoad()
    : cpus_(own_cpus()),
      counts_nice_(::getpriority(PRIO_PROCESS, 0) > 0),
      then_(std::chrono::steady_clock::now()),
      seconds_then_(others_seconds()) {}

std::optional<double> OtherCpuLoad::others_seconds() const {
    std::ifstream file("/proc/stat");
    std::ostringstream text;
    text << file.rdbuf();
    const auto all = busy_seconds(text.str(), cpus_, counts_nice_, static_cast<double>(::sysconf(_SC_CLK_TCK)));
    if (!all) return std::nullopt;
    return *all - own_seconds();
}

std::optional<double> OtherCpuLoad::cores_in_use() {
    const auto now = std::chrono::steady_clock::now();
    if (now - then_ < kWindow) return std::nullopt;
    const std::optional<double> before = seconds_then_;
    const double passed = std::chrono::duration<double>(now - then_).count();
    seconds_then_ = others_seconds();
    then_ = now;
    if (!before || !seconds_then_) return std::nullopt;
    return std::clamp((*seconds_then_ - *before) / passed, 0.0, static_cast<double>(cores()));
}

int free_cores(double in_use, int cores, int most) {
    const int left = static_cast<int>(std::floor(static_cast<double>(cores) - in_use + 0.5));
    return std::clamp(left, 1, most);
}

WorkerThreads::WorkerThreads(int64_t asked) : threads_(asked) {
    if (asked > 0) return;
    other_load_.emplace();
    threads_ = std::max(1, other_load_->cores());
}

int64_t WorkerThreads::now() {
    if (!other_load_) return threads_;
    const int cores = std::max(1, other_load_->cores());
    if (const auto in_use = other_load_->cores_in_use()) threads_ = free_cores(*in_use, cores, cores);
    return threads_;
}

}  // namespace craft
