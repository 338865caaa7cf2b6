// libFuzzer target: any bytes as what a planner answered. Every text is read; what counts as well formed prints as the same
// text, and what was read prints as something that is read again. Run as `planner_response_fuzz -max_total_time=60`.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "data/trajectory.h"

namespace {

void require(bool holds) {
    if (!holds) std::abort();  // what libFuzzer counts as a finding
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    const craft::ParsedResponse response(std::string(reinterpret_cast<const char*>(data), size));
    if (response.parts.well_formed) require(craft::print_response(response.parts) == response.text);
    require(response.parts.well_formed == response.parts.leniency.empty());
    for (const craft::PlanLine& line : response.parts.plan) require(line.sentence.size() + line.plan.size() <= size);
    craft::parse_response(craft::print_response(response.parts));
    return 0;
}
