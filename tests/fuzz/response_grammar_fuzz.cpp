// libFuzzer target: any bytes through the grammar of responses. What it takes is well formed, read without leniency, and all
// of its calls are usable. Run as `response_grammar_fuzz -max_total_time=60`.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "data/response_grammar.h"
#include "data/trajectory.h"

namespace {

void require(bool holds) {
    if (!holds) std::abort();  // what libFuzzer counts as a finding
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    craft::GrammarState state = craft::response_grammar()->start();
    for (size_t i = 0; i < size; ++i)
        if (!state.advance(data[i])) return 0;
    if (!state.may_end()) return 0;
    const craft::ParsedResponse response(std::string(reinterpret_cast<const char*>(data), size));
    require(response.parts.well_formed && response.leniency().empty() && response.calls.ignored.empty());
    for (const craft::ParsedCall& call : response.calls.calls) require(call.call.has_value());
    return 0;
}
