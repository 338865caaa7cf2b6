// How rows are given to blocks of threads: one block works on one row at a time.
#pragma once

#include <algorithm>
#include <cstdint>
#include <initializer_list>

namespace craft::cuda {

constexpr int kWarp = 32, kMaxThreads = 512;
constexpr int64_t kMaxBlocks = int64_t{1} << 20;  // more rows than that: a block takes several

struct Launch {
    int blocks = 0, threads = 0;
};

// For rows of `packs` packs each: whole warps, as many threads as packs if that is not too many. No rows: no blocks.
constexpr Launch launch_for_rows(int64_t rows, int64_t packs) {
    const int64_t threads = std::clamp<int64_t>((packs + kWarp - 1) / kWarp * kWarp, kWarp, kMaxThreads);
    return {static_cast<int>(std::min(rows, kMaxBlocks)), static_cast<int>(threads)};
}

// How many elements one access may take: 16 bytes' worth of an element of `element_bytes`, or 1 where a width is no multiple
// of that or an address is not so aligned.
inline int pack_size(int element_bytes, std::initializer_list<int64_t> widths,
                     std::initializer_list<const void*> addresses) {
    const int most = 16 / element_bytes;
    for (const int64_t width : widths)
        if (width % most != 0) return 1;
    for (const void* address : addresses)
        if (reinterpret_cast<uintptr_t>(address) % 16 != 0) return 1;
    return most;
}

// Rows that one partial sum of a weight's gradient is made of, so that there are at most `kMaxPartials` of them.
constexpr int64_t kMaxPartials = 256;
constexpr int64_t rows_per_partial(int64_t rows) {
    return std::max<int64_t>(1, (rows + kMaxPartials - 1) / kMaxPartials);
}

}  // namespace craft::cuda
