// libFuzzer target: what a server of chat completions sends, with any status. It becomes replies whose texts are UTF-8, each
// failed one with a class and a line that says why; nothing is thrown. The first byte says the status.
// Run as `chat_reply_fuzz -max_total_time=60`.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "core/utf8.h"
#include "systems/hosted/chat_reply.h"
#include "systems/hosted/http_refusal.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    if (size == 0) return 0;
    const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
    static constexpr long kStatuses[] = {400, 401, 404, 413, 422, 429, 500, 503};
    const craft::HttpRefusal refusal = craft::read_http_refusal(kStatuses[data[0] % 8], bytes);
    if (refusal.failure == craft::Failure::none || refusal.error.find('\n') != std::string::npos) std::abort();
    const craft::ChatReply reply = craft::read_chat_reply(bytes, {.max_new_tokens = data[0], .samples = 1 + data[0] % 3});
    if (reply.choices.empty()) std::abort();
    for (const craft::Reply& choice : reply.choices) {
        const bool failed = choice.status == craft::Reply::Status::failed;
        if (failed != (choice.failure != craft::Failure::none) || failed == choice.error.empty()) std::abort();
        if (choice.error.find('\n') != std::string::npos) std::abort();
        if (craft::invalid_utf8_at(choice.text) != std::string_view::npos) std::abort();
        if (choice.usage.prompt_tokens < 0 || choice.usage.new_tokens < 0 || choice.usage.cached_tokens < 0) std::abort();
        if (choice.usage.cached_tokens > choice.usage.prompt_tokens) std::abort();
    }
    return 0;
}
