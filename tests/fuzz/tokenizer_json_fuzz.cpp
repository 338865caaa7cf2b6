// libFuzzer target: a tokenizer.json, a zero byte and a text. Whatever the file says, it is refused with an error or encodes
// and decodes the text. Run as `tokenizer_json_fuzz -max_total_time=60`.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "core/error.h"
#include "model/tokenizer/json_tokenizer.h"
#include "model/tokenizer/stream_decoder.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    const std::string all(reinterpret_cast<const char*>(data), size);
    const size_t end = std::min(all.find('\0'), all.size());
    const std::string text = end < all.size() ? all.substr(end + 1) : "The river, don't  1234\n";
    try {
        const craft::JsonTokenizer tokenizer(craft::parse_tokenizer_document(all.substr(0, end), "fuzz"), {}, "fuzz");
        const std::vector<int64_t> ids = tokenizer.encode(text, true);
        tokenizer.encode_around(text, {{text.size() / 3, text.size() / 2}});
        const std::string decoded = tokenizer.decode(ids, true);
        craft::StreamDecoder stream(tokenizer, true);
        std::string streamed;
        for (const int64_t id : ids) streamed += stream.push(id);
        if (streamed + stream.finish() != decoded) std::abort();
    } catch (const craft::Error&) {}
    return 0;
}
