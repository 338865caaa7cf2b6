// How often tests repeat themselves with other seeds.
#pragma once

#include <cstdint>

namespace craft::test {

// AddressSanitizer runs a fifth of the repetitions: what it looks for shows in any of them, and each takes some ten times as
// long. Without it all are run.
constexpr uint64_t repeats(uint64_t count) {
#ifdef __SANITIZE_ADDRESS__
    return (count + 4) / 5;
#else
    return count;
#endif
}

}  // namespace craft::test
