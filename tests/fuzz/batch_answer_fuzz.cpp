// libFuzzer target: a line of a batch's answers. It is refused with an error, or says whose answer it is and what came.
// Run as `batch_answer_fuzz -max_total_time=60`.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "core/json.h"
#include "systems/recorded/batch_answer.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    using craft::BatchAnswer;
    try {
        const craft::Json line = craft::parse_json(std::string(reinterpret_cast<const char*>(data), size), "line");
        const BatchAnswer answer = craft::batch_answer(line, "line");
        const bool has_status = answer.status == 0 || (answer.status >= 100 && answer.status <= 599);
        if (answer.custom_id.empty() || !answer.body.is_object() || !has_status) std::abort();
    } catch (const craft::Error&) {}
    return 0;
}
