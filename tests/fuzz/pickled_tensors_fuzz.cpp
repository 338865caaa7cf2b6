// libFuzzer target: the pickle of a dictionary of tensors. It is refused with an error, or every tensor lies inside its
// storage. Run as `pickled_tensors_fuzz -max_total_time=60`.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "core/error.h"
#include "model/files/pickled_tensors.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    try {
        for (const auto& [name, tensor] :
             craft::parse_pickled_tensors({reinterpret_cast<const char*>(data), size}, "fuzz")) {
            if (tensor.shape.size() != tensor.strides.size() || tensor.offset < 0) std::abort();
            unsigned __int128 last = static_cast<unsigned __int128>(tensor.offset), elements = 1;
            for (size_t i = 0; i < tensor.shape.size(); ++i) {
                if (tensor.shape[i] < 0 || tensor.strides[i] < 0) std::abort();
                elements *= static_cast<unsigned __int128>(tensor.shape[i]);
                if (tensor.shape[i] > 1)
                    last += static_cast<unsigned __int128>(tensor.strides[i]) *
                            static_cast<unsigned __int128>(tensor.shape[i] - 1);
                if (elements == 0) break;
            }
            if (elements > 0 && last >= static_cast<unsigned __int128>(tensor.storage_size)) std::abort();
        }
    } catch (const craft::Error&) {}
    return 0;
}
