// libFuzzer target: any bytes as the quant_state of a weight in NF4: an Error or a state within its bounds.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "core/error.h"
#include "model/files/nf4_state.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    try {
        const craft::Nf4State state = craft::parse_nf4_state({reinterpret_cast<const char*>(data), size}, "fuzz");
        const bool holds = state.shape.size() == 2 && state.shape[0] > 0 && state.shape[1] > 0 && state.block >= 32 &&
                           state.block <= 4096 && state.nested_block >= 32 && state.nested_block <= 4096;
        if (!holds) std::abort();
    } catch (const craft::Error&) {}
    return 0;
}
