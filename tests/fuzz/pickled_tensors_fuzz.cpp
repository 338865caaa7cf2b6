// libFuzzer target: the pickle of a dictionary of tensors. It is refused with an error, or every tensor lies inside its
// storage. Run as `pickled_tensors_fuzz -max_total_time=60`.
#include <algorithm>
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
            int64_t last = tensor.offset;
            bool is_empty = false, is_beyond = false;
            for (size_t i = 0; i < tensor.shape.size(); ++i) {
                if (tensor.shape[i] < 0 || tensor.strides[i] < 0) std::abort();
                is_empty |= tensor.shape[i] == 0;
                int64_t reach = 0;
                is_beyond |= __builtin_mul_overflow(std::max<int64_t>(tensor.shape[i] - 1, 0), tensor.strides[i], &reach) ||
                             __builtin_add_overflow(last, reach, &last);
            }
            if (!is_empty && (is_beyond || last >= tensor.storage_size)) std::abort();
        }
    } catch (const craft::Error&) {}
    return 0;
}
