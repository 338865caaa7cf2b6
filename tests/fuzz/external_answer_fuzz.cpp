// libFuzzer target: a line that the command of an external metric answers. It is refused with an error, or gives a finite
// score within its scale. Run as `external_answer_fuzz -max_total_time=60`.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "core/process/json_command.h"
#include "metrics/external_metric.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    try {
        const craft::Json answer = craft::json_answer(std::string(reinterpret_cast<const char*>(data), size), "input");
        const craft::ExternalAnswer read = craft::read_external_answer(answer, "lens", "input");
        if (!std::isfinite(read.score)) std::abort();
        if (read.scale && std::clamp(read.score, read.scale->first, read.scale->second) != read.score) std::abort();
        if (read.scorer && read.scorer->find_first_of("|\n") != std::string::npos) std::abort();
    } catch (const craft::Error&) {}
    return 0;
}
