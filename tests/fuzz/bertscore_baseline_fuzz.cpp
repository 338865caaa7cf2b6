// libFuzzer target: a file of BERTScore's baselines. It is refused with an error, or gives three finite figures below 1. Run
// as `bertscore_baseline_fuzz -max_total_time=60`.
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "core/error.h"
#include "metrics/bertscore_baseline.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    const std::string bytes(reinterpret_cast<const char*>(data), size);
    try {
        const craft::BertScoreBaseline row = craft::parse_bertscore_baseline(bytes, 1, "fuzz.tsv");
        for (const double figure : {row.precision, row.recall, row.f1})
            if (!std::isfinite(figure) || figure >= 1) std::abort();
    } catch (const craft::Error&) {}
    return 0;
}
