// libFuzzer target: a safetensors file. It is refused with an error, or every tensor that it claims lies in it, and no two
// have a byte in common. Run as `safetensors_fuzz -max_total_time=60`.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "core/error.h"
#include "model/files/safetensors_header.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    try {
        const craft::SafetensorsHeader header =
            craft::parse_safetensors_header({reinterpret_cast<const char*>(data), size}, "fuzz");
        std::vector<bool> taken(size);
        for (const auto& [name, tensor] : header.tensors) {
            uint64_t bytes = craft::safetensors_dtype_bytes(tensor.dtype);
            for (const int64_t n : tensor.shape) bytes *= static_cast<uint64_t>(n);
            if (tensor.begin > tensor.end || tensor.end > size || tensor.end - tensor.begin != bytes) std::abort();
            for (uint64_t i = tensor.begin; i < tensor.end; ++i) {
                if (taken[i]) std::abort();
                taken[i] = true;
            }
        }
    } catch (const craft::Error&) {}
    return 0;
}
