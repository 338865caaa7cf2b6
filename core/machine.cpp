#include "core/machine.h"

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <set>
#include <sstream>

#include "core/control_group.h"
#include "core/error.h"
#include "core/files.h"

namespace craft {

namespace fs = std::filesystem;

namespace {

constexpr std::array kFeatures = {"avx",         "avx2",     "fma",      "avx512f", "avx512_vnni", "avx512_bf16",
                                  "avx512_fp16", "amx_tile", "amx_bf16", "asimd",   "bf16",        "sve"};

// "key : value" lines; the first of a key counts.
std::string value_in(const fs::path& file, const std::string& key) {
    std::ifstream in(file);
    for (std::string line; std::getline(in, line);) {
        if (!line.starts_with(key)) continue;
        const size_t colon = line.find(':');
        if (colon == std::string::npos) continue;
        const size_t begin = line.find_first_not_of(" \t", colon + 1);
        return begin == std::string::npos ? "" : line.substr(begin);
    }
    return "";
}

int64_t kilobytes(const std::string& value) {
    std::istringstream in(value);
    int64_t number = 0;
    in >> number;
    return number * 1024;
}

fs::path nearest_existing(const fs::path& path) {
    for (fs::path at = fs::absolute(path); !at.empty(); at = at.parent_path()) {
        std::error_code code;
        if (fs::exists(at, code)) return at;
        if (at == at.parent_path()) break;
    }
    throw Error(path.string(), "a path on this machine", "none");
}

}  // namespace

Machine this_machine() {
    Machine machine;
    machine.processor = value_in("/proc/cpuinfo", "model name");
    std::istringstream flags(value_in("/proc/cpuinfo", "flags") + value_in("/proc/cpuinfo", "Features"));  // x86's, ARM's
    std::set<std::string> known;
    for (std::string flag; flags >> flag;) known.insert(flag);
    for (const char* feature : kFeatures)
        if (known.count(feature) > 0) machine.features.emplace_back(feature);
    cpu_set_t cores;
    CPU_ZERO(&cores);
    machine.cores = ::sched_getaffinity(0, sizeof cores, &cores) == 0 ? CPU_COUNT(&cores) : ::sysconf(_SC_NPROCESSORS_ONLN);
    machine.memory_bytes = kilobytes(value_in("/proc/meminfo", "MemTotal"));
    machine.free_memory_bytes = kilobytes(value_in("/proc/meminfo", "MemAvailable"));
    const ControlGroup group = this_control_group();
    if (group.memory_bytes > 0) {
        machine.memory_bytes = std::min(machine.memory_bytes, group.memory_bytes);
        machine.free_memory_bytes = std::min(machine.free_memory_bytes, group.free_memory_bytes);
    }
    if (group.processors > 0) machine.cores = std::min(machine.cores, static_cast<int64_t>(std::ceil(group.processors)));
    std::error_code code;
    for (const auto& gpu : fs::directory_iterator("/proc/driver/nvidia/gpus", code))
        machine.gpus.push_back(value_in(gpu.path() / "information", "Model"));
    return machine;
}

int64_t free_disk_bytes(const fs::path& path) {
    return static_cast<int64_t>(fs::space(nearest_existing(path)).available);
}

std::optional<std::string> write_problem(const fs::path& folder) {
    try {
        const fs::path there = nearest_existing(folder);
        if (!fs::is_directory(there)) return there.string() + " is no folder";
        const fs::path file = there / (".craft-train-" + std::to_string(::getpid()));
        write_file_atomic(file, "x");
        fs::remove(file);
        return std::nullopt;
    } catch (const std::exception& error) {
        return error.what();
    }
}

}  // namespace craft
