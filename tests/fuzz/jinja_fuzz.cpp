// libFuzzer target: any bytes as a chat template, rendered on a small conversation within small limits: an Error or a text
// whose marks lie in it, never anything else.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "core/error.h"
#include "text/jinja/template.h"

namespace {

void require(bool holds) {
    if (!holds) std::abort();  // what libFuzzer counts as a finding
}

craft::jinja::Value messages() {
    using namespace craft::jinja;
    std::vector<Value> all;
    for (int i = 0; i < 3; ++i)
        all.push_back(make_map({{make_text("role"), make_text(i == 1 ? "assistant" : "user")},
                                {make_text("content"), make_text(MarkedText(" a\xc3\xa9<|im_end|>\n", i))}},
                               i));
    return make_list(std::move(all));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    using namespace craft::jinja;
    const std::string_view source(reinterpret_cast<const char*>(data), size);
    try {
        const Template parsed(source, "fuzz");
        const Rendered rendered = parsed.render(
            {{"messages", messages()}, {"tools", None{}}, {"add_generation_prompt", true}, {"bos_token", make_text("<s>")}},
            {.steps = 20'000, .bytes = size_t{4} << 20, .depth = 150});
        size_t at = 0;
        for (const Mark& mark : rendered.text.marks) {
            require(mark.begin >= at && mark.begin < mark.end && mark.end <= rendered.text.size());
            at = mark.end;
        }
        for (const Turn& turn : rendered.turns) require(turn.begin <= turn.end && turn.end <= rendered.text.size());
    } catch (const craft::Error&) {}
    return 0;
}
