#include "core/control_group.h"

#include <algorithm>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace craft {

namespace fs = std::filesystem;

namespace {

// What the two versions of the interface call their files.
struct MemoryFiles {
    const char *limit, *used, *inactive, *active;
};
constexpr MemoryFiles kFirst = {"memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file",
                                "total_active_file"};
constexpr MemoryFiles kSecond = {"memory.max", "memory.current", "inactive_file", "active_file"};
constexpr int64_t kUnlimited = int64_t{1} << 60;  // the first version writes a number near 2^63

// The first number of a file; `otherwise` where there is none ("max").
int64_t number_in(const fs::path& file, int64_t otherwise) {
    std::ifstream in(file);
    int64_t number = 0;
    return in >> number ? number : otherwise;
}

// Of lines "key number".
int64_t number_of(const fs::path& file, const std::string& key) {
    std::ifstream in(file);
    std::string name;
    for (int64_t number = 0; in >> name >> number;)
        if (name == key) return number;
    return 0;
}

void take_memory(ControlGroup& all, const fs::path& group, const MemoryFiles& files) {
    const int64_t limit = number_in(group / files.limit, kUnlimited);
    if (limit <= 0 || limit >= kUnlimited) return;
    const fs::path statistics = group / "memory.stat";
    const int64_t cached = number_of(statistics, files.inactive) + number_of(statistics, files.active);
    const int64_t free = std::clamp<int64_t>(limit - number_in(group / files.used, 0) + cached, 0, limit);
    all.free_memory_bytes = all.memory_bytes == 0 ? free : std::min(all.free_memory_bytes, free);
    all.memory_bytes = all.memory_bytes == 0 ? limit : std::min(all.memory_bytes, limit);
}

void take_processors(ControlGroup& all, int64_t quota, int64_t period) {
    if (quota <= 0 || period <= 0) return;
    const double processors = static_cast<double>(quota) / static_cast<double>(period);
    all.processors = all.processors == 0 ? processors : std::min(all.processors, processors);
}

// "quota period"
void take_processors(ControlGroup& all, const fs::path& file) {
    std::ifstream in(file);
    int64_t quota = 0, period = 0;
    if (in >> quota >> period) take_processors(all, quota, period);
}

// A group and those around it, up to the root. In a container the path may be the host's, of which only the root is there.
std::vector<fs::path> groups_around(const fs::path& root, const std::string& path) {
    std::vector<fs::path> groups;
    fs::path at = fs::path(path).relative_path();
    for (; !at.empty(); at = at.parent_path()) groups.push_back(root / at);
    groups.push_back(root);
    return groups;
}

bool names(const std::string& controllers, const std::string& controller) {
    return ("," + controllers + ",").find("," + controller + ",") != std::string::npos;
}

}  // namespace

ControlGroup this_control_group(const fs::path& groups_of_process, const fs::path& mounted) {
    ControlGroup all;
    std::ifstream in(groups_of_process);
    for (std::string line; std::getline(in, line);) {  // "number:controllers:path", of the second version "0::path"
        std::istringstream parts(line);
        std::string number, controllers, path;
        std::getline(parts, number, ':');
        std::getline(parts, controllers, ':');
        std::getline(parts, path);
        if (controllers.empty())
            for (const fs::path& group : groups_around(mounted, path)) {
                take_memory(all, group, kSecond);
                take_processors(all, group / "cpu.max");
            }
        if (names(controllers, "memory"))
            for (const fs::path& group : groups_around(mounted / "memory", path)) take_memory(all, group, kFirst);
        if (names(controllers, "cpu"))
            for (const fs::path& group : groups_around(mounted / "cpu", path))
                take_processors(all, number_in(group / "cpu.cfs_quota_us", 0), number_in(group / "cpu.cfs_period_us", 0));
    }
    return all;
}

}  // namespace craft
