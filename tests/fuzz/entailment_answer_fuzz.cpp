// libFuzzer target: a line that an entailment command answers. It is refused with an error, or says yes or no. Run as
// `entailment_answer_fuzz -max_total_time=60`.
#include <cstdint>
#include <string>

#include "core/process/json_command.h"
#include "judge/fidelity/factuality.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    try {
        const craft::Json answer = craft::json_answer(std::string(reinterpret_cast<const char*>(data), size), "input");
        craft::is_entailed(answer, 0.5, "input");
    } catch (const craft::Error&) {}
    return 0;
}
