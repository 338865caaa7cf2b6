// libFuzzer target: any bytes as a segment of a trajectory store. They are refused with an error, or their first
// trajectories are read and can be written again. HDF5 reads most of it: build it with sanitizers, too, to look into it. Run
// as `segment_fuzz -max_total_time=60 CORPUS`, where CORPUS holds a small segment or two.
#include <algorithm>
#include <cstdint>

#include "core/error.h"
#include "data/segment.h"
#include "tests/fuzz/named_file.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    constexpr int64_t kMaxRead = 20;
    static const craft::test::NamedFile file("segment-fuzz.h5");
    try {
        craft::SegmentReader segment(file.hold(data, size));
        craft::SegmentBuilder builder;
        for (int64_t i = 0; i < std::min(segment.trajectories(), kMaxRead); ++i) builder.add(segment.read(i));
    } catch (const craft::Error&) {}
    return 0;
}
