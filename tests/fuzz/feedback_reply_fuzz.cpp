// libFuzzer target: any bytes as a text and what a model suggests for it, with a zero byte between them. Every reply is
// read; what is taken from it stands in the text and differs from it. Run as `feedback_reply_fuzz -max_total_time=60`.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "data/feedback_reply.h"
#include "text/words.h"

namespace {

void require(bool holds) {
    if (!holds) std::abort();  // what libFuzzer counts as a finding
}

std::string on_one_line(const std::string& text) {
    std::string out;
    for (const std::string& word : craft::whitespace_words(text)) out += (out.empty() ? "" : " ") + word;
    return out;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    const std::string both(reinterpret_cast<const char*>(data), size);
    const size_t zero = std::min(both.find('\0'), size);
    const std::string text = both.substr(0, zero), reply = both.substr(std::min(zero + 1, size));
    const std::string line = on_one_line(text);
    for (const craft::Suggestion& one : craft::read_feedback_reply(reply, text).suggestions) {
        require(!one.original.empty() && !one.suggestion.empty() && one.original != one.suggestion);
        require(line.find(one.original) != std::string::npos);
        require(one.suggestion.find('\n') == std::string::npos && one.suggestion.size() <= size);
    }
    return 0;
}
