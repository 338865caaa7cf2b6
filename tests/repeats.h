// How often tests repeat themselves with other seeds and other rows.
#pragma once

#include <cstdint>

namespace craft::test {

// AddressSanitizer runs every fifth repetition: what it looks for shows in any of them, and each takes some ten times as
// long. Without it all are run.
#ifdef __SANITIZE_ADDRESS__
inline constexpr uint64_t kRepeatStride = 5;
#else
inline constexpr uint64_t kRepeatStride = 1;
#endif

constexpr uint64_t repeats(uint64_t count) {
    return (count + kRepeatStride - 1) / kRepeatStride;
}

}  // namespace craft::test
