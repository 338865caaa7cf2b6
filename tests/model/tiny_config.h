// The sizes of a decoder that computes in next to no time, for tests.
#pragma once

#include "model/spec/decoder_config.h"

namespace craft::test {

inline DecoderConfig tiny_config(int64_t vocabulary_size, int64_t max_positions) {
    DecoderConfig config;
    config.vocab_size = vocabulary_size;
    config.hidden_size = 32;
    config.intermediate_size = 48;
    config.layers = 2;
    config.heads = 4;
    config.kv_heads = 2;
    config.head_dim = 8;
    config.max_positions = max_positions;
    return config;
}

}  // namespace craft::test
