// libFuzzer target: an adapter_config.json. Whatever it says, it is refused with an error or planned on a small decoder, and
// what is written of it is read as the same. Run as `adapter_config_fuzz -max_total_time=60`.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "core/error.h"
#include "model/decoder/adapter_config.h"
#include "model/decoder/adapter_files.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    craft::DecoderConfig config;
    config.vocab_size = 5;
    config.hidden_size = config.intermediate_size = config.head_dim = 4;
    config.layers = 2;
    config.heads = config.kv_heads = 1;
    try {
        const std::string text(reinterpret_cast<const char*>(data), size);
        const craft::LoraOptions options = craft::parse_adapter_config(craft::parse_json(text, "fuzz"), "fuzz");
        const craft::Json written = craft::adapter_config_json(options, "base", false);
        if (craft::adapter_config_json(craft::parse_adapter_config(written, "again"), "base", false) != written)
            std::abort();
        craft::Decoder decoder = craft::DecoderWeights::empty(config);
        craft::plan_adapter(decoder, options, "fuzz");
    } catch (const craft::Error&) {}
    return 0;
}
