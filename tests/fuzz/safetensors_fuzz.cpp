// libFuzzer target: a safetensors file. It is refused with an error, or every tensor that it claims can be read. Run as
// `safetensors_fuzz -max_total_time=60`.
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <string>

#include "core/error.h"
#include "model/weights/safetensors.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    static const int file = ::memfd_create("fuzz", 0);
    if (::ftruncate(file, 0) != 0 || ::pwrite(file, data, size, 0) != static_cast<ssize_t>(size)) std::abort();
    try {
        const craft::SafetensorsFile tensors("/proc/self/fd/" + std::to_string(file));
        for (const std::string& name : tensors.names()) {
            if (tensors.tensor(name).nbytes() > size || tensors.view(name).nbytes() > size) std::abort();
            tensors.release(name);
        }
    } catch (const craft::Error&) {}
    return 0;
}
