// libFuzzer target: a host list of Slurm. It is refused with an error, or its first host is a list of that one host. Run as
// `host_list_fuzz -max_total_time=60`.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "core/error.h"
#include "core/host_list.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    try {
        const std::string host = craft::first_host(std::string(reinterpret_cast<const char*>(data), size));
        if (host.empty() || craft::first_host(host) != host) std::abort();
    } catch (const craft::Error&) {}
    return 0;
}
