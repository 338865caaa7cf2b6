// NF4's double quantisation: scales that are held as codes themselves. Inside model/ only.
#pragma once

#include <algorithm>
#include <cstdint>

namespace craft {

// Block i's scale is map[codes[i]] * scales[i / block] + offset.
struct NestedScales {
    const uint8_t* codes = nullptr;
    const float *scales = nullptr, *map = nullptr;
    int64_t block = 256;
    float offset = 0;

    // Those of blocks [first, first + count). Products first, then sums: bitsandbytes rounds between them, which one loop
    // could leave out.
    void read(int64_t first, int64_t count, float* out) const {
        for (int64_t i = 0; i < count;) {
            const int64_t number = (first + i) / block, end = std::min(count, (number + 1) * block - first);
            for (; i < end; ++i) out[i] = map[codes[first + i]] * scales[number];
        }
        for (int64_t i = 0; i < count; ++i) out[i] += offset;
    }
};

}  // namespace craft
