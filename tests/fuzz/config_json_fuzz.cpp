// libFuzzer target: config.json of a model folder, and after a zero byte perhaps generation_config.json. Whatever they say,
// they are refused with an error or describe a decoder, an encoder or an encoder-decoder with sizes that are there. Run as
// `config_json_fuzz -max_total_time=60`; tests/model/spec/config_test.cpp keeps what it found.
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>

#include "core/error.h"
#include "model/spec/architecture.h"
#include "model/spec/encoder_family.h"

namespace {

template <class F>
void read(const F& parse) {
    try {
        parse();
    } catch (const craft::Error&) {}
}

void expect(bool holds) {
    if (!holds) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    const std::string all(reinterpret_cast<const char*>(data), size);
    const size_t end = std::min(all.find('\0'), all.size());
    read([&] {
        const craft::ConfigReader config("config.json", craft::parse_json(all.substr(0, end), "config.json"));
        std::optional<craft::ConfigReader> generation;
        if (end < all.size())
            generation.emplace("generation_config.json", craft::parse_json(all.substr(end + 1), "generation_config.json"));
        const craft::ConfigReader* const second = generation ? &*generation : nullptr;
        read([&] {
            const craft::DecoderConfig decoder = craft::parse_decoder_config(config, second);
            expect(decoder.layers > 0 && decoder.heads > 0 && decoder.head_dim > 0 && decoder.kv_heads > 0);
            expect(decoder.heads % decoder.kv_heads == 0 && decoder.vocab_size > 0);
        });
        read([&] {
            const craft::EncoderConfig encoder = craft::parse_encoder_config(config);
            expect(encoder.stack.heads > 0 && encoder.hidden_size % encoder.stack.heads == 0 && encoder.max_tokens() > 0);
        });
        read([&] {
            const craft::Seq2SeqConfig both = craft::parse_seq2seq_config(config, second);
            expect(both.start_token >= 0 && both.start_token < both.encoder.vocab_size && both.decoder.layers > 0);
        });
    });
    return 0;
}
