// libFuzzer target: any bytes go through the parser, and what it reads must read the same again. Build with clang and
// -DCRAFT_FUZZ=ON; run as `call_parser_fuzz -max_total_time=60`.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "tools/craft/craft_tools.h"
#include "tools/craft/tool_use.h"

namespace {

void require(bool holds) {
    if (!holds) std::abort();  // what libFuzzer counts as a finding
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const craft::ParsedCalls parsed = craft::parse_calls(text);
    for (const craft::ParsedCall& call : parsed.calls) {
        require(!call.text.empty() && call.call.has_value() == call.problem.empty());
        const craft::ParsedCalls again = craft::parse_calls(call.text);
        require(again.calls.size() == 1 && again.calls[0].text == call.text);
        require(again.calls[0].call.has_value() == call.call.has_value());
        if (!call.call) continue;
        require(*again.calls[0].call == *call.call);
        require(craft::parse_call(craft::normal_form(*call.call)) == *call.call);
    }
    craft::score_tool_use(parsed, {});
    return 0;
}
