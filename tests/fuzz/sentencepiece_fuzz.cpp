// libFuzzer target: any bytes as a tokenizer.model. They are refused with an error, or a text is encoded and the ids decode.
// Run as `sentencepiece_fuzz -max_total_time=60 CORPUS`, where CORPUS holds a small model or two.
#include <cstdint>
#include <string>

#include "core/error.h"
#include "model/tokenizer/sentencepiece_tokenizer.h"
#include "model/tokenizer/stream_decoder.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    const std::string model(reinterpret_cast<const char*>(data), size);
    try {
        const craft::SentencepieceTokenizer tokenizer(model, {}, "fuzz");
        const std::string text = "The river, don't  1234\n\xc3\xa9 e\xcc\x81 \xef\xac\x81 \xe6\xbc\xa2 \xe2\x96\x81 <s>";
        const std::vector<int64_t> ids = tokenizer.encode(text, true);
        tokenizer.encode(text, false);
        tokenizer.decode(ids, true);
        craft::StreamDecoder stream(tokenizer, false);
        for (const int64_t id : ids) stream.push(id);
        stream.finish();
    } catch (const craft::Error&) {}
    return 0;
}
