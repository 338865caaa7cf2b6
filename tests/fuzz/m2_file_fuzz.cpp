// libFuzzer target: an M2 file. It is refused with an error, or written back byte for byte, and its edits agree with
// themselves. Run as `m2_file_fuzz -max_total_time=60`.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "core/error.h"
#include "metrics/edits/errant_compare.h"
#include "metrics/edits/m2_file.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    const std::string bytes(reinterpret_cast<const char*>(data), size);
    try {
        const craft::M2File file = craft::parse_m2(bytes, "fuzz.m2");
        if (craft::to_m2(file) != bytes) std::abort();
        craft::ErrantOptions options;
        options.match = craft::EditMatch::correction_type;
        if (file.sentences.empty() || size > 4096) return 0;
        const craft::EditCounts counts = craft::compare_edits(file, file, options).total;
        if (counts.false_positives != 0 || counts.false_negatives != 0) std::abort();
    } catch (const craft::Error&) {}
    return 0;
}
