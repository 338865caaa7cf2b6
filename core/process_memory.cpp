#include "core/process_memory.h"

#include <malloc.h>
#include <sys/resource.h>

#include <fstream>
#include <sstream>
#include <string>

namespace craft {

namespace {

// "VmHWM:     123 kB" in bytes; 0: there is no such line.
int64_t status_bytes(const std::string& key) {
    std::ifstream in("/proc/self/status");
    for (std::string line; std::getline(in, line);) {
        if (!line.starts_with(key + ":")) continue;
        std::istringstream number(line.substr(key.size() + 1));
        int64_t kilobytes = 0;
        number >> kilobytes;
        return kilobytes * 1024;
    }
    return 0;
}

}  // namespace

int64_t resident_memory_bytes() {
    return status_bytes("VmRSS");
}

int64_t private_memory_bytes() {
    return status_bytes("RssAnon");
}

int64_t peak_resident_bytes() {
    // getrusage() would begin with the peak of the process that started this one.
    if (const int64_t peak = status_bytes("VmHWM"); peak > 0) return peak;
    rusage usage{};
    ::getrusage(RUSAGE_SELF, &usage);
    return static_cast<int64_t>(usage.ru_maxrss) * 1024;
}

bool forget_peak_memory() {
    std::ofstream out("/proc/self/clear_refs");
    out << "5" << std::flush;
    return static_cast<bool>(out);
}

void give_freed_memory_back() {
    ::malloc_trim(0);
}

}  // namespace craft
