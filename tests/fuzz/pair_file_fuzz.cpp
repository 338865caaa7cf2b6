// libFuzzer target: any bytes as a file of preference pairs. They are refused with an error, or their first pairs are read
// and can be written again. HDF5 reads most of it: as of segment_fuzz, build it with sanitizers, too, to look into it. Run
// as `pair_file_fuzz -max_total_time=60 CORPUS`, where CORPUS holds a small file or two.
#include <algorithm>
#include <cstdint>

#include "core/error.h"
#include "data/pair_file.h"
#include "tests/fuzz/named_file.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    constexpr int64_t kMaxRead = 20;
    static const craft::test::NamedFile file("pair-fuzz.h5");
    try {
        craft::PairFileReader pairs(file.hold(data, size));
        craft::PairFileBuilder builder;
        for (int64_t i = 0; i < std::min(pairs.pairs(), kMaxRead); ++i) builder.add(pairs.read(i));
    } catch (const craft::Error&) {}
    return 0;
}
