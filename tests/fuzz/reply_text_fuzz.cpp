// libFuzzer target: any bytes as a text and a reply that goes back to it, with a zero byte between them. A step that took
// something off leaves a shorter part of what it was given, trimmed; one that did not leaves it as it was. Run as
// `reply_text_fuzz -max_total_time=60`.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "data/reply_text.h"
#include "text/utf8.h"

namespace {

void require(bool holds) {
    if (!holds) std::abort();  // what libFuzzer counts as a finding
}

template <class Step>
void expect_part(std::string_view reply, const Step& step) {
    std::string_view text = reply;
    const bool was_cut = step(text);
    require(was_cut ? text.size() < reply.size() : text == reply);
    require(craft::trim_view(text) == text);
    require(text.empty() || (text.data() >= reply.data() && text.data() + text.size() <= reply.data() + reply.size()));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    const std::string both(reinterpret_cast<const char*>(data), size);
    const size_t zero = std::min(both.find('\0'), size);
    const std::string_view source = craft::trim_view(std::string_view(both).substr(0, zero));
    const std::string_view reply = craft::trim_view(std::string_view(both).substr(std::min(zero + 1, size)));
    expect_part(reply, [](std::string_view& text) { return craft::cut_thinking(text); });
    expect_part(reply, [&](std::string_view& text) { return craft::cut_fence(text, source); });
    expect_part(reply, [&](std::string_view& text) { return craft::cut_bold(text, source); });
    expect_part(reply, [&](std::string_view& text) { return craft::cut_quotes(text, source); });
    expect_part(reply, [&](std::string_view& text) {
        craft::Leniency noted;
        const auto label = [](std::string_view& rest) {
            const auto found = craft::label_of(rest, 40);
            if (found) rest = craft::trim_view(found->rest);
            return found.has_value();
        };
        craft::unwrap(text, source, label, noted);
        return !noted.empty();
    });
    require(craft::list_mark(reply) <= reply.size());
    return 0;
}
